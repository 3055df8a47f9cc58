/** A key, session or link of another cell. */
export interface ForeignKey {
  cell: number;
  /** `null` for a key of an operator, which is copied to this cell. */
  organizationId: number | null;
  slug: string | null;
  row: Record<string, unknown>;
  parent: Record<string, unknown> | null;
  permissions: string[];
  lastsUntil: string | null;
  /** For a session: whether it has not ended. */
  isLive: boolean;
}

/** What authentication needs to know about other cells. Provided only if cells are configured. */
export interface OtherCells {
  /** Returns `null` if no other cell has a key with this hash. */
  find(hash: string, address: string): Promise<ForeignKey | null>;
  /** Throws while the organization moves to another cell. */
  refuseWhileMoving(slug: string): Promise<void>;
}

export const OTHER_CELLS = Symbol('OTHER_CELLS');
