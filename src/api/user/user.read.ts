import type { Type } from '@nestjs/common';
import { addAll, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import { checkFields } from '../../platform/http/body/check-fields.js';
import { readUserSettings } from '../settings/read-settings.js';
import type { UserSettingsFields } from '../settings/read-settings.js';
import { readAddress } from './address.js';
import type { UserAddress } from './address.js';
import { CreateAddressDto } from './address.dto.js';

/** A user in the form in which it is stored. Undefined fields keep their values. Null: the setting of the organization. */
export interface UserFields {
  email: string;
  first_name?: string;
  last_name?: string;
  locked?: boolean;
  custom_fields?: Record<string, unknown>;
  addresses?: UserAddress[];
  time_zone?: string | null;
  quiet_hours?: WeeklyRange[] | null;
  locale?: string | null;
}

/** The fields of a user that a DTO or a schema has accepted, before addresses and settings are checked. */
export type GivenUser = Omit<UserFields, keyof UserSettingsFields> & UserSettingsFields;

/** The time zones that PostgreSQL knows, by their lower case: see `knownTimeZones`. */
type Zones = ReadonlyMap<string, string>;

/**
 * Reads a user: the DTO says which fields it may have. Errors are added with the name of their field, such as `addresses[0].value`. The result
 * is meaningful only if there are none.
 */
export function readUser(dto: Type, value: unknown, zones: Zones, addError: AddError): UserFields {
  const user = (isObject(value) ? value : {}) as unknown as GivenUser;
  if (!isObject(value)) addError('', 'invalid_type', 'must be a JSON object');
  else addAll(checkFields(dto, value), '', addError);
  const addresses = Array.isArray(user.addresses) ? checkAddresses(user.addresses, addError) : undefined;
  return storedForm({ ...user, addresses }, zones, addError);
}

/** Brings addresses and settings into their stored form. */
export function storedForm(
  { addresses, time_zone, quiet_hours, locale: given, ...user }: GivenUser,
  zones: Zones,
  addError: AddError,
): UserFields {
  const settings = { time_zone, quiet_hours, locale: given };
  const { timeZone, quietHours, locale } = readUserSettings(settings, zones, addError);
  return {
    ...user,
    ...(addresses && { addresses: addresses.map((address, i) => storedAddress(address, i, addError)) }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(quietHours !== undefined && { quiet_hours: quietHours }),
    ...(locale !== undefined && { locale }),
  };
}

function storedAddress(address: UserAddress, index: number, addError: AddError): UserAddress {
  const read = readAddress(address);
  if (!('errors' in read)) return read;
  addAll(read.errors, `addresses[${index}].`, addError);
  return address;
}

const NO_ADDRESS: UserAddress = { name: 'none', value: 'none' };

/** Those that are refused are replaced: their places must not move. */
function checkAddresses(addresses: unknown[], addError: AddError): UserAddress[] {
  return addresses.map((address, i) => {
    if (!isObject(address)) {
      addError(
        `addresses[${i}]`,
        'invalid_type',
        'must be an object such as { "name": "phone", "value": "+15551234567" }',
      );
      return NO_ADDRESS;
    }
    const errors = checkFields(CreateAddressDto, address);
    addAll(errors, `addresses[${i}].`, addError);
    return hasErrors(errors) ? NO_ADDRESS : (address as unknown as UserAddress);
  });
}
