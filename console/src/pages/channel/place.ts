/** Where a channel is: `prj` is null for one of the organization. */
export interface ChannelPlace {
  org: string;
  prj: string | null;
  slug: string;
}
