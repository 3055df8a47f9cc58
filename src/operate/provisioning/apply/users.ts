import { channelIds } from '../../../api/channel/channel-ids.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { rescheduleWaiting } from '../../../api/settings/put-settings.js';
import { knownTimeZones } from '../../../api/settings/time-zones.js';
import { chunksOf } from '../bulk-write.js';
import { MAX_PROBLEMS, ProvisioningError } from '../file.js';
import type { DistributionListEntry, MemberEntry, UserEntry } from '../file.js';
import { addAddresses, upsertUsers } from '../../../api/user/put-users.js';
import { putMembers } from '../user-files/users.js';
import { normalizeSettings } from '../user-files/user-settings.js';
import { countedChange } from './change.js';
import type { Change } from './change.js';

export interface UserWriteContext {
  tx: Transaction;
  progress: (done: number) => void;
}

/** Creates and updates the users of an organization, in chunks. */
export async function applyUsers(
  { tx, progress }: UserWriteContext,
  organizationId: number,
  entries: UserEntry[],
  parent: string,
): Promise<Change[]> {
  let created = 0;
  let updated = 0;
  let addresses = 0;
  const changedClocks: number[] = [];
  await checkSettings(tx, entries, parent);
  for await (const chunk of chunksOf(tx, entries)) {
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

async function checkSettings(tx: Transaction, entries: UserEntry[], organization: string): Promise<void> {
  const zones = await knownTimeZones(tx);
  const problems = entries.flatMap((entry) => {
    const problem = normalizeSettings(entry, zones);
    return problem === null ? [] : [`user ${organization}/${entry.email}: ${problem}`];
  });
  if (problems.length > 0) throw new ProvisioningError(problems.slice(0, MAX_PROBLEMS));
}

/** Adds and updates the members of a distribution list, in chunks; `path` names the list. */
export async function applyMembers(
  { tx, progress }: UserWriteContext,
  place: { organizationId: number; projectId: number; listId: number },
  { members = [] }: DistributionListEntry,
  path: string,
): Promise<Change[]> {
  const entries = members.map((member) => (typeof member === 'string' ? { email: member } : member));
  const channels = await channelIds(tx, place);
  checkChannels(entries, channels, path);
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

function checkChannels(members: MemberEntry[], channels: Map<string, number>, list: string): void {
  for (const { email, channel } of members) {
    if (channel !== undefined && !channels.has(channel))
      throw new ProvisioningError([
        `distribution list ${list}: members.${email}.channel: there is no channel ${channel}`,
      ]);
  }
}
