import { listKey } from '../../../api/distribution-list/list-key.js';
import type { ChannelEntry, EventEntry, ProjectEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';

const notHere = (noun: string, name: string) =>
  `there is no ${noun} ${name} in the file: apply needs one in the database`;

/** The channels that a project of the file, or its organization, has. */
export class ChannelSlugs {
  constructor(readonly entries: readonly ChannelEntry[]) {}

  find(slug: string): ChannelEntry | undefined {
    return this.entries.find((entry) => entry.slug === slug);
  }

  /** Warns if the file has no such channel. */
  look(slug: string, entry: object, field: string, problems: FileProblems): void {
    if (!this.find(slug)) problems.warn(entry, field, notHere('channel', slug));
  }
}

/** What the notifications of a project may refer to. */
export class ProjectNames {
  private readonly lists: ReadonlySet<string>;
  private readonly categories: ReadonlySet<string>;

  constructor(
    { distribution_lists: lists = [], categories = [] }: ProjectEntry,
    readonly channels: ChannelSlugs,
  ) {
    this.lists = new Set(lists.map(({ name }) => listKey(name)));
    this.categories = new Set(categories.map(({ slug }) => slug));
  }

  lookList(name: string, entry: object, problems: FileProblems, field = 'distribution_lists'): void {
    if (!this.lists.has(listKey(name))) problems.warn(entry, field, notHere('distribution list', name));
  }

  lookCategory(slug: string, entry: EventEntry, problems: FileProblems): void {
    if (!this.categories.has(slug)) problems.warn(entry, 'category', notHere('category', slug));
  }
}
