/** All permissions that a key can have. */
export const Permission = {
  SystemPing: 'system:ping',
  OrganizationRead: 'organization:read',
  OrganizationWrite: 'organization:write',
  /** In addition to the permissions for what a configuration contains. */
  ConfigurationRead: 'configuration:read',
  ConfigurationWrite: 'configuration:write',
  ChannelWrite: 'channel:write',
  UserRead: 'user:read',
  UserWrite: 'user:write',
  /** Everything that is stored about a user, messages and audit log included. */
  UserExport: 'user:export',
  PreferenceRead: 'preference:read',
  PreferenceWrite: 'preference:write',
  /** Devices of users: phones, tablets and browsers that push messages reach. */
  DeviceRead: 'device:read',
  DeviceWrite: 'device:write',
  EventList: 'event:list',
  EventTrigger: 'event:trigger',
  /** In addition to the permission to trigger or to replay, for an occurrence with the priority `critical`. */
  EventTriggerCritical: 'event:trigger-critical',
  EventWrite: 'event:write',
  NotificationRead: 'notification:read',
  NotificationWrite: 'notification:write',
  OccurrenceRead: 'occurrence:read',
  OccurrenceWrite: 'occurrence:write',
  DistributionListRead: 'distributionlist:read',
  DistributionListWrite: 'distributionlist:write',
  ApiKeyRead: 'apikey:read',
  ApiKeyWrite: 'apikey:write',
  /** Members of the organization: colleagues who sign in with a role. */
  MemberRead: 'member:read',
  MemberWrite: 'member:write',
  /** Recipient tokens: creates them, and the secrets that sign them. */
  TokenCreate: 'token:create',
  AuditRead: 'audit:read',
  SuppressionRead: 'suppression:read',
  SuppressionWrite: 'suppression:write',
  /** Files that triggers attach: uploads, lists and deletes them. */
  UploadWrite: 'upload:write',
} as const;

export type Permission = (typeof Permission)[keyof typeof Permission];

export const PERMISSIONS: readonly Permission[] = Object.values(Permission);
