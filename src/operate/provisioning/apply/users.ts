import { channelIds } from '../../../api/channel/channel-ids.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { rescheduleWaiting } from '../../../api/settings/put-settings.js';
import { knownTimeZones } from '../../../api/settings/time-zones.js';
import { chunksOf } from '../bulk-write.js';
import type { DistributionListEntry, MemberEntry, UserEntry } from '../file.js';
import { addAddresses, upsertUsers } from '../../../api/user/put-users.js';
import { putMembers } from '../user-files/users.js';
import { normalizeSettings } from '../user-files/user-settings.js';
import type { FileProblems } from '../problem/file-problems.js';
import { countedChange } from './change.js';
import type { Change } from './change.js';

export interface UserWriteContext {
  tx: Transaction;
  problems: FileProblems;
  progress: (done: number) => void;
}

/** Creates and updates the users of an organization, in chunks. */
export async function applyUsers(
  { tx, problems, progress }: UserWriteContext,
  organizationId: number,
  entries: UserEntry[],
  parent: string,
): Promise<Change[]> {
  let created = 0;
  let updated = 0;
  let addresses = 0;
  const changedClocks: number[] = [];
  const isBad = await findBadSettings(tx, entries, problems);
  const good = isBad.size === 0 ? entries : entries.filter((entry) => !isBad.has(entry));
  for await (const chunk of chunksOf(tx, good)) {
    const counts = await upsertUsers(tx, organizationId, chunk);
    changedClocks.push(...counts.changedClocks);
    created += counts.created;
    updated += counts.updated;
    addresses += await addAddresses(tx, organizationId, chunk);
    progress(chunk.length);
  }
  await rescheduleWaiting(tx, organizationId, changedClocks);
  return [
    ...countedChange('create', created, 'user', parent),
    ...countedChange('update', updated, 'user', parent),
    ...countedChange('create', addresses, 'address', parent),
  ];
}

async function findBadSettings(tx: Transaction, entries: UserEntry[], problems: FileProblems): Promise<Set<UserEntry>> {
  const zones = await knownTimeZones(tx);
  const bad = new Set<UserEntry>();
  for (const entry of entries) {
    const errors = normalizeSettings(entry, zones);
    if (!errors) continue;
    bad.add(entry);
    problems.add(entry, errors);
  }
  return bad;
}

/** Adds and updates the members of a distribution list, in chunks; `path` names the list. */
export async function applyMembers(
  { tx, problems, progress }: UserWriteContext,
  place: { organizationId: number; projectId: number; listId: number },
  list: DistributionListEntry,
  path: string,
): Promise<Change[]> {
  const all = (list.members ?? []).map((member) => (typeof member === 'string' ? { email: member } : member));
  const channels = await channelIds(tx, place);
  const isKnown = ({ channel }: MemberEntry) => channel === undefined || channels.has(channel);
  for (const { email, channel } of all.filter((member) => !isKnown(member)))
    problems.addOne(list, `members.${email}.channel`, 'not_found', `there is no channel ${channel}`);
  const entries = all.filter(isKnown);
  let added = 0;
  let updated = 0;
  for await (const chunk of chunksOf(tx, entries)) {
    const counts = await putMembers(tx, place, chunk, channels);
    added += counts.added;
    updated += counts.updated;
    progress(chunk.length);
  }
  return [...countedChange('create', added, 'member', path), ...countedChange('update', updated, 'member', path)];
}
