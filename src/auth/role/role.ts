import { PERMISSIONS, Permission } from '../permission.js';

/** Sees everything that the organization sends, and to whom; neither secrets nor who changed what. */
const VIEWER: readonly Permission[] = [
  Permission.SystemPing,
  Permission.OrganizationRead,
  Permission.UserRead,
  Permission.PreferenceRead,
  Permission.DeviceRead,
  Permission.EventList,
  Permission.NotificationRead,
  Permission.OccurrenceRead,
  Permission.DistributionListRead,
  Permission.SuppressionRead,
];

/** Also helps users, and steers what is being sent. */
const SUPPORT: readonly Permission[] = [
  ...VIEWER,
  Permission.UserWrite,
  Permission.PreferenceWrite,
  Permission.EventTrigger,
  Permission.OccurrenceWrite,
  Permission.SuppressionWrite,
  Permission.AuditRead,
  Permission.MemberRead,
];

/** Also changes what is sent, when, and to whom; not the channels, which hold secrets and serve everybody. */
const EDITOR: readonly Permission[] = [
  ...SUPPORT,
  Permission.EventWrite,
  Permission.NotificationWrite,
  Permission.DistributionListWrite,
  Permission.DeviceWrite,
  Permission.UploadWrite,
  Permission.ConfigurationRead,
];

/** The built-in roles: sets of permissions with a name, each with all of the one before it. */
export const ROLES = { viewer: VIEWER, support: SUPPORT, editor: EDITOR, administrator: PERMISSIONS } as const;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

export const isRole = (name: unknown): name is Role => ROLE_NAMES.includes(name as Role);
