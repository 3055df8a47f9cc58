import { channelIds } from '../../../api/channel/channel-ids.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { addTo, hasErrors } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { rescheduleWaiting } from '../../../api/settings/reschedule-waiting.js';
import { knownTimeZones } from '../../../api/settings/time-zones.js';
import { chunksOf } from '../bulk-write.js';
import type { DistributionListEntry, MemberEntry, UserEntry } from '../file.js';
import { storedForm } from '../../../api/user/user.read.js';
import type { UserFields } from '../../../api/user/user.read.js';
import { putUsers } from '../../../api/user/user.write.js';
import { putMembers } from '../user-files/users.js';
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
  const counts = { created: 0, updated: 0, addresses: 0 };
  const changedClocks: number[] = [];
  const users = storedForms(entries, await knownTimeZones(tx), problems);
  for await (const chunk of chunksOf(tx, users)) {
    const put = await putUsers(tx, organizationId, chunk);
    for (const { entry, errors } of put.refused) problems.add(entry.source, errors);
    changedClocks.push(...put.changedClocks);
    counts.created += put.created;
    counts.updated += put.updated;
    counts.addresses += put.addresses;
    progress(chunk.length);
  }
  await rescheduleWaiting(tx, organizationId, changedClocks);
  return [
    ...countedChange('create', counts.created, 'user', parent),
    ...countedChange('update', counts.updated, 'user', parent),
    ...countedChange('create', counts.addresses, 'address', parent),
  ];
}

/** Without those that have a mistake: the problems name them. */
function storedForms(entries: UserEntry[], zones: ReadonlyMap<string, string>, problems: FileProblems): AppliedUser[] {
  return entries.flatMap((source) => {
    const errors: FieldErrors = {};
    const user = storedForm(source, zones, addTo(errors));
    if (!hasErrors(errors)) return [{ ...user, source }];
    problems.add(source, errors);
    return [];
  });
}

interface AppliedUser extends UserFields {
  /** In the file. */
  source: UserEntry;
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
