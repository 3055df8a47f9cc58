import { normalizeAddress } from '../../../api/user/address.js';
import type { MemberEntry, UserEntry } from '../file.js';
import { checkEntry } from '../file-check.js';
import { isProblem } from './user-file.js';
import { normalizeSettings } from './user-settings.js';

/** Returns an entry, or the problem. */
export function readUser(value: unknown, zones: ReadonlyMap<string, string>): UserEntry | { problem: string } {
  const checked = checkEntry('user', value);
  if (isProblem(checked)) return checked;
  // Choices are about categories and events, which the columns of such a file cannot name.
  if (checked.preferences) return { problem: 'preferences: is not a known field here: use carillon apply for them' };
  for (const address of checked.addresses ?? []) {
    const normal = normalizeAddress(address.name, address.value);
    if ('problem' in normal) return { problem: `${address.name}: ${normal.problem.sentence}` };
    address.value = normal.value;
  }
  const errors = normalizeSettings(checked, zones);
  const [first] = Object.entries(errors ?? {});
  return first ? { problem: `${first[0]}: ${first[1][0]!.sentence}` } : checked;
}

/** Returns an entry, or the problem. */
export function readMember(value: unknown, channels: Map<string, number>): MemberEntry | { problem: string } {
  const checked = checkEntry('member', typeof value === 'string' ? { email: value } : value);
  if (isProblem(checked) || checked.channel === undefined || channels.has(checked.channel)) return checked;
  return { problem: `channel: there is no channel ${checked.channel}` };
}
