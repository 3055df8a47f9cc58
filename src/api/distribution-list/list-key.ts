/** The form of a list's name that is unique in its project, and that lookups use. */
export const listKey = (name: string): string => name.trim().toLowerCase();
