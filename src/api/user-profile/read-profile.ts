import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { NOT_AN_EMAIL, emailKey, isEmailAddress } from '../../platform/field/email.js';
import { addAll } from '../../platform/field/error/field-error.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { checkFields } from '../../platform/http/body/check-fields.js';
import type { MembershipFields } from '../distribution-list/membership.write.js';
import { UpdatePreferencesDto } from '../preference/preference.dto.js';
import { readChoices } from '../preference/read-choices.js';
import type { Wish } from '../preference/read-choices.js';
import { readAddress } from '../user/address.js';
import { CreateAddressDto } from '../user/address.dto.js';
import { readUser } from '../user/user.read.js';
import type { UserFields } from '../user/user.read.js';
import { MergeUserDto, PutMembershipDto, PutUserProfileDto } from './user-profile.dto.js';

/** A whole user, as it is written. Undefined parts stay as they are. */
export interface UserProfile {
  user: UserFields;
  memberships?: MembershipFields[];
  wishes?: Wish[];
}

interface Known {
  zones: ReadonlyMap<string, string>;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** Reads a whole user. `email`: of the path; null: the body names it. The result is meaningful only if no error was added. */
export function readProfile(
  value: unknown,
  email: string | null,
  { zones, dispatchers }: Known,
  addError: AddError,
): UserProfile {
  if (!isObject(value)) addError('body', 'invalid_type', 'must be a JSON object');
  const body = isObject(value) ? value : {};
  const given = readUser(PutUserProfileDto, body, zones, addError);
  const { memberships, preferences } = body;
  const { first_name = '', last_name = '', custom_fields = {} } = given;
  const { locked, addresses, time_zone, quiet_hours, locale } = given;
  const user = { first_name, last_name, custom_fields, locked, addresses, time_zone, quiet_hours, locale };
  return {
    user: { ...user, email: readEmail(body.email, email, addError) },
    memberships: readMemberships(memberships, addError),
    wishes: isObject(preferences) ? readPreferences(preferences, dispatchers, addError) : undefined,
  };
}

/** Reads what changes of a user. The result is meaningful only if no error was added. */
export function readChanges(value: unknown, zones: Known['zones'], addError: AddError): UserProfile {
  const { memberships, ...user } = readUser(MergeUserDto, value, zones, addError) as UserFields & Given;
  return { user, memberships: readMemberships(memberships, addError) };
}

interface Given {
  memberships?: unknown;
}

const readMemberships = (given: unknown, addError: AddError) =>
  Array.isArray(given) ? given.map((each, i) => readMembership(each, `memberships[${i}]`, addError)) : undefined;

function readEmail(given: unknown, inPath: string | null, addError: AddError): string {
  const email = inPath ?? given;
  if (!isEmailAddress(email)) {
    // The DTO has refused an e-mail of the body that is wrong.
    if (inPath !== null || given === undefined)
      addError('email', inPath === null ? 'required' : 'invalid_format', NOT_AN_EMAIL);
    return '';
  }
  if (isEmailAddress(given) && emailKey(given) !== emailKey(email))
    addError('email', 'conflict', 'must be the e-mail in the path: it cannot be changed');
  return email;
}

function readMembership(value: unknown, place: string, addError: AddError): MembershipFields {
  const nothing = { project: '', list: '', address: null, channel: null, active: true };
  if (!isObject(value)) {
    addError(place, 'invalid_type', 'must be an object such as { "project": "shop", "distribution_list": "Staff" }');
    return nothing;
  }
  addAll(checkFields(PutMembershipDto, value), `${place}.`, addError);
  const {
    project,
    distribution_list: list,
    address,
    channel = null,
    active = true,
  } = value as unknown as PutMembershipDto;
  if (channel !== null && typeof channel !== 'string')
    addError(`${place}.channel`, 'invalid_type', 'must be the slug of a channel, or null');
  return {
    project,
    list,
    address: isObject(address) ? readPlace(address, `${place}.address.`, addError) : null,
    channel,
    active,
  };
}

function readPlace(value: Record<string, unknown>, place: string, addError: AddError): MembershipFields['address'] {
  const errors = checkFields(CreateAddressDto, value);
  addAll(errors, place, addError);
  if (Object.keys(errors).length > 0) return null;
  const read = readAddress(value as unknown as CreateAddressDto);
  if (!('errors' in read)) return read;
  addAll(read.errors, place, addError);
  return null;
}

function readPreferences(
  value: Record<string, unknown>,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  addError: AddError,
): Wish[] {
  const errors = checkFields(UpdatePreferencesDto, value);
  addAll(errors, 'preferences.', addError);
  const known = Object.fromEntries(Object.entries(value).filter(([field]) => !(field in errors)));
  const read = readChoices(known, dispatchers);
  if ('wishes' in read) return read.wishes;
  addAll(read.errors, 'preferences.', addError);
  return [];
}
