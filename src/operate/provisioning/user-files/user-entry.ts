import { addTo, hasErrors } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { isObject } from '../../../platform/field/is-object.js';
import { UserFieldsDto } from '../../../api/user/user.dto.js';
import { readUser } from '../../../api/user/user.read.js';
import type { UserFields } from '../../../api/user/user.read.js';
import type { MemberEntry } from '../file.js';
import { checkEntry, hasNul } from '../file-check.js';
import { isProblem } from './user-file.js';

/** Returns a user, or the problem. */
export function readUserRow(value: unknown, zones: ReadonlyMap<string, string>): UserFields | { problem: string } {
  if (hasNul(value)) return { problem: 'must not hold a NUL character' };
  // Choices are about categories and events, which the columns of such a file cannot name.
  if (isObject(value) && value.preferences)
    return { problem: 'preferences: is not a known field here: use carillon apply for them' };
  const errors: FieldErrors = {};
  const user = readUser(UserFieldsDto, value, zones, addTo(errors));
  return hasErrors(errors) ? { problem: problemOf(errors) } : user;
}

/** All errors of a row in one line. */
export const problemOf = (errors: FieldErrors): string =>
  Object.entries(errors)
    .flatMap(([field, all]) => all.map(({ sentence }) => (field ? `${field}: ${sentence}` : sentence)))
    .join('; ');

/** Returns an entry, or the problem. */
export function readMember(value: unknown, channels: Map<string, number>): MemberEntry | { problem: string } {
  const checked = checkEntry(typeof value === 'string' ? { email: value } : value);
  if (isProblem(checked) || checked.channel === undefined || channels.has(checked.channel)) return checked;
  return { problem: `channel: there is no channel ${checked.channel}` };
}
