import type { Job } from './task.js';

type Placed = Pick<Job, 'organizationId' | 'lane' | 'size'>;

const MAX_LANES = 400;

/**
 * The room that a worker has for jobs of one kind, counted by their size. A lane or an organization holds at most as much room as is
 * free: slow and busy ones always leave room for others. Lanes of two organizations with the same name are two lanes.
 */
export class Capacity {
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

  /** Room of a lane, and of an organization. */
  private get most(): [lane: number, organization: number] {
    const { free } = this;
    return [Math.min(this.perLane ?? this.size, free), Math.min(this.perOrganization, free)];
  }

  /** The five parameters about room of the statement that takes jobs. */
  limits(): [free: number, lanes: string, perLane: number, organizations: string, perOrganization: number] {
    const [perLane, perOrganization] = this.most;
    const json = (held: Map<string, number>) => JSON.stringify(Object.fromEntries(held));
    return [this.free, json(this.lanes), perLane, json(this.organizations), perOrganization];
  }

  /** How many lanes to look at for `jobs` jobs: as many as can be taken, and those that are full. */
  lanesToVisit(jobs: number): number {
    const wanted = Math.min(jobs, this.free);
    if (this.perLane === null) return wanted + this.full(this.organizations, this.most[1]);
    // An organization that is full may have any number of lanes.
    return this.isTight ? MAX_LANES : wanted;
  }

  /** Whether some lane or organization can hold no more, so that jobs may wait although there is room. */
  get isTight(): boolean {
    const [perLane, perOrganization] = this.most;
    return this.full(this.lanes, perLane) > 0 || this.full(this.organizations, perOrganization) > 0;
  }

  /** How many hold that much. */
  private full(held: Map<string, number>, most: number): number {
    // One of them can hold that much only if all of them do together. This spares most calls the look at each of them.
    if (this.held < most) return 0;
    let full = 0;
    for (const size of held.values()) if (size >= most) full++;
    return full;
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
