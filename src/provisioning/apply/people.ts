import { channelIds } from '../../channel/channel-ids.js';
import type { Transaction } from '../../prisma/transaction.js';
import { ProvisioningError } from '../file.js';
import type { DistributionListEntry, MemberEntry, UserEntry } from '../file.js';
import { addAddresses, putMembers, upsertUsers } from '../people/people.js';
import { counted } from './change.js';
import type { Change } from './change.js';

const CHUNK = 5000;

export interface PeopleContext {
  tx: Transaction;
  progress: (done: number) => void;
}

/** Makes the users of an organization agree with the file, many at a time. */
export async function applyUsers(
  { tx, progress }: PeopleContext,
  organizationId: number,
  entries: UserEntry[],
  parent: string,
): Promise<Change[]> {
  let created = 0;
  let updated = 0;
  let addresses = 0;
  for (const chunk of chunksOf(entries)) {
    const counts = await upsertUsers(tx, organizationId, chunk);
    created += counts.created;
    updated += counts.updated;
    addresses += await addAddresses(tx, organizationId, chunk);
    progress(chunk.length);
  }
  return [
    ...counted('create', created, 'user', parent),
    ...counted('update', updated, 'user', parent),
    ...counted('create', addresses, 'address', parent),
  ];
}

/** Makes the members of a distribution list agree with the file, many at a time; `path` names the list. */
export async function applyMembers(
  { tx, progress }: PeopleContext,
  place: { organizationId: number; projectId: number; listId: number },
  { members = [] }: DistributionListEntry,
  path: string,
): Promise<Change[]> {
  const entries = members.map((member) => (typeof member === 'string' ? { email: member } : member));
  const channels = await channelIds(tx, place);
  checkChannels(entries, channels, path);
  let added = 0;
  let updated = 0;
  for (const chunk of chunksOf(entries)) {
    const counts = await putMembers(tx, place, chunk, channels);
    added += counts.added;
    updated += counts.updated;
    progress(chunk.length);
  }
  return [...counted('create', added, 'member', path), ...counted('update', updated, 'member', path)];
}

function* chunksOf<Entry>(entries: Entry[]): Generator<Entry[]> {
  for (let start = 0; start < entries.length; start += CHUNK) yield entries.slice(start, start + CHUNK);
}

function checkChannels(members: MemberEntry[], channels: Map<string, number>, list: string): void {
  for (const { email, channel } of members) {
    if (channel !== undefined && !channels.has(channel))
      throw new ProvisioningError([`list ${list}: ${email} wants the channel ${channel}, which does not exist`]);
  }
}
