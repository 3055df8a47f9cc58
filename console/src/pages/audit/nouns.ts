/** What the audit calls the things that change. */
export const NOUNS = [
  'address',
  'API key',
  'application',
  'category',
  'channel',
  'distribution list',
  'event',
  'layout',
  'member',
  'notification',
  'notification list',
  'occurrence',
  'organization',
  'partial',
  'preference',
  'project',
  'status webhook',
  'suppression',
  'template',
  'user',
] as const;

/** Entries about these name a user, in their name or their changes. */
export const PEOPLE: ReadonlySet<string> = new Set(['address', 'member', 'preference', 'suppression', 'user']);
