/** What an export writes about a user. What is empty may be left out. */
export interface ExportedUser {
  email: string;
  first_name?: string;
  last_name?: string;
  locked?: boolean;
  custom_fields?: Record<string, unknown>;
  addresses?: { name: string; value: string }[];
  time_zone?: string | null;
  quiet_hours?: object[] | null;
  locale?: string | null;
}

/** Columns that an import reads, without loss: objects are JSON, because a number or a list would come back as a text. */
export const USER_HEADER = [
  'email',
  'first_name',
  'last_name',
  'locked',
  'custom_fields',
  'addresses',
  'time_zone',
  'quiet_hours',
  'locale',
] as const;

/** The cells below the header. */
export function userCells(user: ExportedUser): (string | undefined)[] {
  const { custom_fields = {}, addresses = [], quiet_hours } = user;
  return [
    ...[user.email, user.first_name, user.last_name, user.locked ? 'true' : undefined],
    Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : undefined,
    addresses.length > 0 ? JSON.stringify(addresses) : undefined,
    user.time_zone ?? undefined,
    quiet_hours ? JSON.stringify(quiet_hours) : undefined,
    user.locale ?? undefined,
  ];
}
