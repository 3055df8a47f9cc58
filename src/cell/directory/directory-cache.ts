import type { Cell, DirectoryEntry } from './directory.js';

/** The directory in the memory of a process. */
export class DirectoryCache {
  private readonly bySlug = new Map<string, DirectoryEntry>();
  private readonly byOrganization = new Map<number, DirectoryEntry>();
  private cells = new Map<number, Cell>();
  /** Organizations that nothing may write to in the database of this cell. */
  private frozen: ReadonlySet<number> = new Set();
  /** The time of the newest change; null: there is none. */
  newest: string | null = null;

  /** Places in the order of their times. `isAll`: the directory has no others. */
  put(places: readonly DirectoryEntry[], isAll = false): void {
    if (isAll) {
      this.bySlug.clear();
      this.byOrganization.clear();
    }
    for (const place of places) {
      const before = this.bySlug.get(place.slug);
      if (before?.organizationId != null) this.byOrganization.delete(before.organizationId);
      if (place.state === 'gone') this.bySlug.delete(place.slug);
      else this.bySlug.set(place.slug, place);
      if (place.state !== 'gone' && place.organizationId !== null) this.byOrganization.set(place.organizationId, place);
    }
    this.newest = places.at(-1)?.changedAt ?? this.newest;
  }

  putCells(cells: readonly Cell[]): void {
    this.cells = new Map(cells.map((cell) => [cell.number, cell]));
  }

  putFrozen(organizationIds: Iterable<number>): void {
    this.frozen = new Set(organizationIds);
  }

  ofSlug(slug: string): DirectoryEntry | undefined {
    return this.bySlug.get(slug);
  }

  ofOrganization(id: number): DirectoryEntry | undefined {
    return this.byOrganization.get(id);
  }

  isFrozen(organizationId: number): boolean {
    return this.frozen.has(organizationId);
  }

  all(): IterableIterator<DirectoryEntry> {
    return this.bySlug.values();
  }

  cell(number: number): Cell | undefined {
    return this.cells.get(number);
  }

  allCells(): Cell[] {
    return [...this.cells.values()];
  }
}
