import type { ClientBase } from 'pg';
import { addMembers } from '../../distribution-list/add-members.js';
import { emailKey } from '../../field/email.js';
import type { MemberEntry, UserEntry } from '../file.js';

/**
 * Creates and updates users in sets: four statements a chunk, however many users it holds. What an entry leaves out stays as
 * it is; with `merge` also the custom fields that it does not name.
 */
export async function upsertUsers(
  client: ClientBase,
  organizationId: number,
  entries: UserEntry[],
  { merge = false } = {},
): Promise<{ created: number; updated: number }> {
  // The last entry for an e-mail wins, as it would one by one.
  const users = [...new Map(entries.map((entry) => [emailKey(entry.email), entry])).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const columns = [
    users.map(([key]) => key),
    users.map(([, user]) => user.email),
    users.map(([, user]) => user.first_name ?? null),
    users.map(([, user]) => user.last_name ?? null),
    users.map(([, user]) => user.locked ?? null),
    users.map(([, user]) => (user.custom_fields ? JSON.stringify(user.custom_fields) : null)),
  ];
  const input = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::jsonb[])
                 i(email_key, email, first_name, last_name, locked, custom_fields)`;
  const customFields = `coalesce(${merge ? 'u.custom_fields || ' : ''}i.custom_fields, u.custom_fields)`;
  const created = await client.query(
    `insert into users (organization_id, email, email_key, first_name, last_name, locked, custom_fields)
     select $1, email, email_key, coalesce(first_name, ''), coalesce(last_name, ''), coalesce(locked, false), coalesce(custom_fields, '{}')
     from ${input}
     where not exists (select from users u where u.organization_id = $1 and u.email_key = i.email_key)
     on conflict (organization_id, email_key) do nothing`,
    [organizationId, ...columns],
  );
  const updated = await client.query(
    `update users u set
       first_name = coalesce(i.first_name, u.first_name), last_name = coalesce(i.last_name, u.last_name),
       locked = coalesce(i.locked, u.locked), custom_fields = ${customFields}
     from ${input}
     where u.organization_id = $1 and u.email_key = i.email_key
       and (u.first_name, u.last_name, u.locked, u.custom_fields) is distinct from
           (coalesce(i.first_name, u.first_name), coalesce(i.last_name, u.last_name), coalesce(i.locked, u.locked), ${customFields})
       and i.email is not null`,
    [organizationId, ...columns],
  );
  return { created: created.rowCount ?? 0, updated: updated.rowCount ?? 0 };
}

/** Adds the addresses that are not there yet: each user's e-mail, and those of the file. */
export async function addAddresses(client: ClientBase, organizationId: number, entries: UserEntry[]): Promise<number> {
  const rows = entries.flatMap(({ email, addresses = [] }) =>
    addresses.map(({ name, value }) => ({ key: emailKey(email), name, value })),
  );
  const keys = [...new Set(entries.map(({ email }) => emailKey(email)))].sort();
  await client.query(
    `insert into addresses (organization_id, user_id, name, value)
     select organization_id, id, 'email', email from users u where organization_id = $1 and email_key = any($2)
       and not exists (select from addresses a where a.user_id = u.id and a.name = 'email' and a.value = u.email)
     on conflict (user_id, name, value) do nothing`,
    [organizationId, keys],
  );
  const added = await client.query(
    `insert into addresses (organization_id, user_id, name, value)
     select u.organization_id, u.id, i.name, i.value
     from unnest($2::text[], $3::text[], $4::text[]) i(email_key, name, value)
     join users u on u.organization_id = $1 and u.email_key = i.email_key
     where not exists (select from addresses a where a.user_id = u.id and a.name = i.name and a.value = i.value)
     on conflict (user_id, name, value) do nothing`,
    [organizationId, rows.map(({ key }) => key), rows.map(({ name }) => name), rows.map(({ value }) => value)],
  );
  return added.rowCount ?? 0;
}

/** Makes people members of a list, with what is said of each; `channels` by slug, and all that are named are there. */
export async function putMembers(
  client: ClientBase,
  place: { organizationId: number; listId: number },
  entries: MemberEntry[],
  channels: Map<string, number>,
): Promise<{ added: number; updated: number; createdUsers: number }> {
  const emails = new Map(entries.map(({ email }) => [emailKey(email), email]));
  const keys = [...emails.keys()].sort();
  const counts = await addMembers(client, place, { keys, emails: keys.map((key) => emails.get(key)!) });
  const detailed = entries.filter(({ channel, active }) => channel !== undefined || active !== undefined);
  // Of what is said of a person the last wins.
  const said = new Map(detailed.map((entry) => [emailKey(entry.email), entry]));
  const updates = [...said].map(([key, { channel, active }]) => ({
    key,
    channelId: channel === undefined ? null : channels.get(channel)!,
    active: active ?? null,
  }));
  const updated = updates.length === 0 ? 0 : await updateMembers(client, place, updates);
  return { added: counts?.added ?? 0, updated, createdUsers: counts?.createdUsers ?? 0 };
}

async function updateMembers(
  client: ClientBase,
  { organizationId, listId }: { organizationId: number; listId: number },
  members: { key: string; channelId: number | null; active: boolean | null }[],
): Promise<number> {
  const updated = await client.query(
    `update members m set channel_id = coalesce(i.channel_id, m.channel_id), active = coalesce(i.active, m.active)
     from unnest($2::text[], $3::int[], $4::boolean[]) i(email_key, channel_id, active)
     join users u on u.email_key = i.email_key and u.organization_id = $5
     where m.list_id = $1 and m.user_id = u.id
       and (m.channel_id, m.active) is distinct from (coalesce(i.channel_id, m.channel_id), coalesce(i.active, m.active))`,
    [
      listId,
      members.map(({ key }) => key),
      members.map(({ channelId }) => channelId),
      members.map(({ active }) => active),
      organizationId,
    ],
  );
  return updated.rowCount ?? 0;
}
