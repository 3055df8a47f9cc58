/** Everything a key may be allowed, in one list. */
export const Permission = {
  SystemPing: 'system:ping',
  OrganizationRead: 'organization:read',
  UserRead: 'user:read',
  UserWrite: 'user:write',
  EventList: 'event:list',
  EventTrigger: 'event:trigger',
  OccurrenceRead: 'occurrence:read',
  OccurrenceWrite: 'occurrence:write',
  DistributionListRead: 'distributionlist:read',
  DistributionListWrite: 'distributionlist:write',
  ApiKeyRead: 'apikey:read',
  ApiKeyWrite: 'apikey:write',
} as const;

export type Permission = (typeof Permission)[keyof typeof Permission];

export const PERMISSIONS: readonly Permission[] = Object.values(Permission);
