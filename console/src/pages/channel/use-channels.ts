import { useRead } from '../../api/read';
import { useCan } from '../../api/session';

export interface OwnedChannel {
  slug: string;
  name: string;
  type: string;
  enabled: boolean;
  /** The project that owns it; null: the organization. */
  project: string | null;
}

const PAGE = { limit: 1000 };

/** What the channels are called that a project can use, by slug. Of two with one name, each says its slug too. */
export function useChannelNames(org: string, prj: string): (slug: string) => string {
  const channels = useChannels(org, prj) ?? [];
  return (slug) => {
    const name = channels.find((one) => one.slug === slug)?.name ?? slug;
    return channels.some((one) => one.slug !== slug && one.name === name) ? `${name} (${slug})` : name;
  };
}

/** The channels that a project can use: its own and those of the organization. Of two with the same slug, its own counts. */
export function useChannels(org: string, prj: string | null): OwnedChannel[] | undefined {
  const can = useCan();
  const isAllowed = can('organization:read');
  const all = useRead('/api/o/{org}/c/', { path: { org }, query: PAGE }, { enabled: isAllowed }).data;
  const input = { path: { org, prj: prj ?? '' }, query: PAGE };
  const own = useRead('/api/o/{org}/p/{prj}/c/', input, { enabled: isAllowed && prj !== null }).data;
  if (!all || (prj !== null && !own)) return undefined;
  const ofProject = (own ?? []).map((channel) => ({ ...channel, project: prj }));
  const taken = new Set(ofProject.map(({ slug }) => slug));
  return [
    ...ofProject,
    ...all.filter(({ slug }) => !taken.has(slug)).map((channel) => ({ ...channel, project: null })),
  ];
}
