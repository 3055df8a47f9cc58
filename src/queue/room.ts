import type { Job } from './task.js';

type Placed = Pick<Job, 'organizationId' | 'lane' | 'size'>;

const MAX_LANES = 400;

/**
 * The room that a worker has for jobs of one kind, counted by their size. A lane or an organization holds at most as much room as is
 * free: slow and busy ones always leave room for others. Lanes of two organizations with the same name are two lanes.
 */
export class Room {
  private readonly lanes = new Map<string, number>();
  private readonly organizations = new Map<string, number>();
  private held = 0;

  constructor(
    private readonly size: number,
    /** null: an organization has one lane. */
    private readonly perLane: number | null,
    private readonly perOrganization: number,
  ) {}

  get free(): number {
    return Math.max(this.size - this.held, 0);
  }

  enter(job: Placed): void {
    this.add(job, job.size);
  }

  leave(job: Placed): void {
    this.add(job, -job.size);
  }

  /** The last five parameters of the statement that takes jobs. */
  limits(): [free: number, lanes: string, perLane: number, organizations: string, perOrganization: number] {
    const { free } = this;
    return [
      free,
      JSON.stringify(Object.fromEntries(this.lanes)),
      Math.min(this.perLane ?? this.size, free),
      JSON.stringify(Object.fromEntries(this.organizations)),
      Math.min(this.perOrganization, free),
    ];
  }

  /** How many lanes to look at for `jobs` jobs: as many as can be taken, and those that are full. */
  lanesToVisit(jobs: number): number {
    const wanted = Math.min(jobs, this.free);
    if (!this.isTight) return wanted;
    // An organization that is full may have any number of lanes.
    return this.perLane === null ? wanted + this.fullOrganizations() : MAX_LANES;
  }

  private fullOrganizations(): number {
    const most = Math.min(this.perOrganization, this.free);
    let full = 0;
    for (const held of this.organizations.values()) if (held >= most) full++;
    return full;
  }

  /** Whether some lane or organization can hold no more, so that jobs may wait although there is room. */
  get isTight(): boolean {
    // One of them can hold that much only if all of them do together. This spares most calls the look at each of them.
    const isFull = (held: Map<string, number>, most: number) =>
      this.held >= most && [...held.values()].some((size) => size >= most);
    return (
      isFull(this.lanes, Math.min(this.perLane ?? this.size, this.free)) ||
      isFull(this.organizations, Math.min(this.perOrganization, this.free))
    );
  }

  private add({ lane, organizationId }: Placed, size: number): void {
    this.held += size;
    if (this.perLane !== null) change(this.lanes, `${organizationId} ${lane}`, size);
    change(this.organizations, String(organizationId), size);
  }
}

function change(held: Map<string, number>, key: string, size: number): void {
  const now = (held.get(key) ?? 0) + size;
  if (now > 0) held.set(key, now);
  else held.delete(key);
}
