import type { AddError } from '../../platform/field/error/field-error.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { readLimit } from '../../platform/field/message-limit.js';
import type { MessageLimit } from '../../platform/field/message-limit.js';
import { readTimeZone } from '../../platform/field/region/time-zone.js';
import type { Brand } from '../../rules/template/layout/shared.js';
import type { StoredLogo } from '../logo/logo.js';
import { logoOf } from '../logo/read-logo.js';
import { pageTextsOf } from '../recipient-page/read-page-texts.js';
import type { PageTexts } from '../recipient-page/texts.js';
import { readAlerts } from '../../engine/alert/alert-settings.js';
import type { AlertSettings } from '../../engine/alert/alert-settings.js';
import { addressOf, linksOf } from './read-brand.js';
import { readQuietHours } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';

/** The settings of a user as they are given. Undefined: unchanged; null: those of the organization. */
export interface UserSettingsFields {
  time_zone?: unknown;
  quiet_hours?: unknown;
  locale?: unknown;
}

/** The settings of an organization as they are given. Undefined: unchanged; null: none. */
export interface OrganizationSettingsFields extends UserSettingsFields {
  limit?: unknown;
  logo?: unknown;
  color?: unknown;
  address?: unknown;
  links?: unknown;
  page_texts?: unknown;
  origins?: unknown;
  alerts?: unknown;
}

/** The stored form. */
interface UserSettings {
  timeZone?: string | null;
  quietHours?: WeeklyRange[] | null;
  locale?: string | null;
}

export interface OrganizationSettings extends UserSettings {
  messageLimit?: MessageLimit | null;
  color?: string | null;
  address?: string | null;
  links?: Brand['links'] | null;
  logo?: StoredLogo | null;
  pageTexts?: PageTexts | null;
  /** Empty: none. */
  origins?: string[];
  alerts?: AlertSettings | null;
}

export const MAX_ORIGINS = 50;
export const COLOR = /^#[0-9a-fA-F]{6}$/;

/** `zones`: see `knownTimeZones`. The result is meaningful only if no error was added. */
export function readUserSettings(
  fields: UserSettingsFields,
  zones: ReadonlyMap<string, string>,
  addError: AddError,
): UserSettings {
  return {
    timeZone: unlessUnset(fields.time_zone, (value) => timeZoneOf(value, zones, addError)),
    quietHours: unlessUnset(fields.quiet_hours, (value) => readQuietHours(value, 'quiet_hours', addError)),
    locale: unlessUnset(fields.locale, (value) => localeOf(value, addError)),
  };
}

export function readOrganizationSettings(
  fields: OrganizationSettingsFields,
  zones: ReadonlyMap<string, string>,
  addError: AddError,
): OrganizationSettings {
  return {
    ...readUserSettings(fields, zones, addError),
    messageLimit: unlessUnset(fields.limit, (value) => readLimit(value, 'limit', addError)),
    color: unlessUnset(fields.color, (value) => colorOf(value, addError)),
    address: unlessUnset(fields.address, (value) => addressOf(value, addError)),
    logo: unlessUnset(fields.logo, (value) => logoOf(value, addError)),
    links: unlessUnset(fields.links, (value) => linksOf(value, addError)),
    pageTexts: unlessUnset(fields.page_texts, (value) => pageTextsOf(value, addError)),
    origins: fields.origins === undefined ? undefined : originsOf(fields.origins ?? [], addError),
    alerts: unlessUnset(fields.alerts, (value) => readAlerts(value, addError)),
  };
}

const unlessUnset = <Value>(value: unknown, read: (value: unknown) => Value): Value | null | undefined =>
  value === null || value === undefined ? value : read(value);

function timeZoneOf(value: unknown, zones: ReadonlyMap<string, string>, addError: AddError): string {
  const read = readTimeZone(value, zones);
  if ('timeZone' in read) return read.timeZone;
  addError('time_zone', 'invalid_format', read.problem);
  return '';
}

function localeOf(value: unknown, addError: AddError): string {
  const read = readLocale(value);
  if ('locale' in read) return read.locale;
  addError('locale', 'invalid_format', read.problem);
  return '';
}

function colorOf(value: unknown, addError: AddError): string {
  if (typeof value === 'string' && COLOR.test(value)) return value.toLowerCase();
  addError('color', 'invalid_format', 'must be a color such as #1a7f37');
  return '';
}

/** As browsers send them in the header `Origin`. Each once, in the order in which they are given. */
function originsOf(value: unknown, addError: AddError): string[] {
  if (!Array.isArray(value) || value.length > MAX_ORIGINS) {
    addError('origins', 'invalid_type', `must be a list of at most ${MAX_ORIGINS} origins`);
    return [];
  }
  const origins = value.map(originOf);
  const wrong = origins.indexOf(null);
  if (wrong >= 0)
    addError(
      `origins[${wrong}]`,
      'invalid_format',
      'must be an origin such as https://app.example.com, without a path',
    );
  return [...new Set(origins.filter((origin) => origin !== null))];
}

function originOf(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, origin, href } = new URL(value);
  // No wildcard: it would be a part of the host. No user, path, query or fragment.
  return /^https?:$/.test(protocol) && href === `${origin}/` && !origin.includes('*') ? origin : null;
}
