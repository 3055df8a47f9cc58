/** What makes a list's name unique in its project, and finds it. */
export const listKey = (name: string): string => name.trim().toLowerCase();
