/** Where the rows of a file belong: users of an organization, or members of one of its lists. */
export interface ImportOwner {
  org: string;
  list: { project: string; list: string } | null;
}
