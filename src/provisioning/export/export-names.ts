import { ProvisioningError } from '../file.js';

export interface NamedChannel {
  id: number;
  projectId: number | null;
  slug: string;
}

/** The slugs by which channels are named in a project, or in the organization itself. */
export class ChannelNames {
  constructor(private readonly channels: NamedChannel[]) {}

  /** The slug that means this channel there; one of the project hides the organization's of the same slug. */
  slugOf(id: number, projectId: number | null, who: string): string {
    const { slug } = this.channels.find((channel) => channel.id === id)!;
    const reached = this.channels.filter((channel) => channel.slug === slug);
    const meant =
      reached.find((channel) => channel.projectId === projectId) ??
      reached.find((channel) => channel.projectId === null);
    if (meant?.id !== id)
      throw new ProvisioningError([
        `${who} uses the organization's channel ${slug}, which a channel of the project hides: give one of them another slug`,
      ]);
    return slug;
  }
}

/** Names of environment variables for secrets, each only once. */
export class SecretNames {
  readonly all: string[] = [];

  /** As in `ACME_SHOP_HOOK_SECRET`. */
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
