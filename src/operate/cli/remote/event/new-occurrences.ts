import type { PlacedOccurrence } from '../../../../../clients/typescript/src/schema.js';
import type { RemoteClient } from '../client.js';
import { api } from '../path.js';

export type TailedOccurrence = PlacedOccurrence;

/** What is watched: an organization, or a part of it. */
export interface Place {
  organization: string;
  project?: string;
  application?: string;
  event?: string;
}

const PAGE = 1000;
/** Triggers are committed in another order than their times say. Later ones were never seen. */
const OVERLAP_MS = 10_000;

/** Finds the occurrences that were not there at the last request. It remembers one page at most. */
export class NewOccurrences {
  private readonly path: string;
  private seen: Set<string> | null = null;
  private since: string | undefined;
  /** Older ones existed before the first request. */
  private oldest = '';

  constructor(
    private readonly client: RemoteClient,
    private readonly place: Place,
    /** How many of those that exist already are found by the first request. */
    private readonly last: number,
  ) {
    this.path = api`/api/o/${place.organization}/occurrences/`;
  }

  /** Oldest first. `isCut`: there were more than one request returns. */
  async next(): Promise<{ found: TailedOccurrence[]; isCut: boolean }> {
    const { project, application, event } = this.place;
    const query = { limit: PAGE, since: this.since, event: event && `${project}/${application}/${event}` };
    const response = await this.client.open('GET', this.path, { query });
    const page = (await response.json()) as TailedOccurrence[];
    const { seen } = this;
    const isNew = ({ id }: TailedOccurrence) => !seen?.has(id) && id > this.oldest;
    const found = page.filter((each) => isNew(each) && this.isInside(each)).reverse();
    const isCut = seen !== null && response.headers.has('link') && isNew(page.at(-1)!);
    this.remember(page);
    return { found: seen === null ? found.slice(found.length - Math.min(this.last, found.length)) : found, isCut };
  }

  private remember(page: TailedOccurrence[]): void {
    if (this.seen === null && page.length > 0) this.oldest = page.at(-1)!.id;
    this.seen = new Set(page.map(({ id }) => id));
    const newest = page[0]?.created_at;
    if (newest !== undefined) this.since = new Date(Date.parse(newest) - OVERLAP_MS).toISOString();
  }

  private isInside({ project, application }: TailedOccurrence): boolean {
    const { place } = this;
    return (place.project ?? project) === project && (place.application ?? application) === application;
  }
}
