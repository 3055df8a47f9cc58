import { ProvisioningError } from '../file.js';

export interface NamedChannel {
  id: number;
  projectId: number | null;
  slug: string;
}

/** Finds the slug of a channel inside a project, or inside the organization itself. */
export class ChannelNames {
  constructor(private readonly channels: NamedChannel[]) {}

  /** The slug of this channel. A project's channel hides the organization's channel with the same slug. `who` uses the channel. */
  slugOf(id: number, projectId: number | null, who: string): string {
    const { slug } = this.channels.find((channel) => channel.id === id)!;
    const sameSlug = this.channels.filter((channel) => channel.slug === slug);
    const meant =
      sameSlug.find((channel) => channel.projectId === projectId) ??
      sameSlug.find((channel) => channel.projectId === null);
    if (meant?.id !== id)
      throw new ProvisioningError([
        `${who} uses the organization's channel ${slug}, which a channel of the project hides: replace one of them by a channel with another slug`,
      ]);
    return slug;
  }
}

/** Unique names of environment variables for secrets. */
export class SecretNames {
  private readonly all: string[] = [];

  /** The next name, such as `ACME_SHOP_HOOK_SECRET`. */
  next(...steps: string[]): { env: string } {
    const name = steps
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_');
    let free = name;
    for (let i = 2; this.all.includes(free); i++) free = `${name}_${i}`;
    this.all.push(free);
    return { env: free };
  }
}
