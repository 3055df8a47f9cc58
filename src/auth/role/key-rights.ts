/** What a key was allowed when it was read. */
export interface KeyRights {
  permissions: readonly string[];
  /** Null or left out: it is not bound to a project. */
  projectId?: number | null;
}

/** A key or session that may still be used, as the database has it now. */
export interface ValidKey {
  id: number;
  permissions: readonly string[];
  projectId: number | null;
}

/** Whether a key that was read some seconds ago still has all of its rights. */
export const keepsRights = (key: KeyRights, now: ValidKey): boolean =>
  (now.projectId === null || now.projectId === (key.projectId ?? null)) &&
  key.permissions.every((permission) => now.permissions.includes(permission));
