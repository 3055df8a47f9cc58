import { Client } from 'pg';
import { hashApiKey, newApiKey } from '../../../src/auth/api-key.js';
import { PERMISSIONS } from '../../../src/auth/permission.js';
import { RENEW_RULESET } from '../../../src/api/notification/notification.sql.js';
import { BUILT_IN } from '../../../src/api/notification/renew-ruleset.js';

export interface Crowd {
  key: string;
  /** The path that triggers the event. */
  trigger: string;
}

/** Does something with a connection of its own. */
export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // a test may restart PostgreSQL
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const ORGANIZATION = `
  with o as (insert into organizations (slug, name) values ('crowd', 'Crowd') returning id),
  c as (insert into channels (organization_id, slug, name, type, config) select id, 'hook', 'Hook', 'webhook', $1 from o returning id),
  p as (insert into projects (organization_id, slug, name) select id, 'p', 'P' from o returning *),
  l as (insert into distribution_lists (organization_id, project_id, name, name_key) select organization_id, id, 'All', 'all' from p returning id),
  a as (insert into applications (organization_id, project_id, slug, name) select organization_id, id, 'a', 'A' from p returning *),
  e as (insert into events (organization_id, application_id, slug, name) select organization_id, id, 'e', 'E' from a returning *),
  n as (insert into notifications (organization_id, event_id, name) select organization_id, id, 'Tell all' from e returning *),
  nl as (insert into notification_lists (organization_id, notification_id, list_id) select organization_id, n.id, l.id from n, l)
  insert into templates (organization_id, notification_id, channel_id, text) select organization_id, n.id, c.id, '{{ user.email }}' from n, c`;

const people = (count: number) => `
  set session_replication_role = replica; -- rows made by us need no foreign key checks
  insert into users (organization_id, email, email_key)
    select o.id, 'user' || n || '@crowd.test', 'user' || n || '@crowd.test' from organizations o, generate_series(1, ${count}) n;
  insert into addresses (organization_id, user_id, name, value) select organization_id, id, 'email', email from users;
  insert into members (organization_id, list_id, user_id, address_id)
    select a.organization_id, l.id, a.user_id, a.id from addresses a, distribution_lists l;
  analyze`;

/**
 * An organization with one list of so many members, and an event that tells them all over one webhook. Written with SQL, into a migrated
 * database: as two commands, `apply` and `key create`, each test would pay for the start of two processes.
 */
export async function createCrowd(
  databaseUrl: string,
  hook: string,
  count: number,
  config: object = {},
): Promise<Crowd> {
  return withClient(databaseUrl, async (client) => {
    await client.query(ORGANIZATION, [{ url: hook, ...config }]);
    await client.query(people(count));
    const { rows } = await client.query<{ id: number; organizationId: number }>(
      'select id, organization_id "organizationId" from events',
    );
    await client.query(RENEW_RULESET, [rows[0]!.id, BUILT_IN]);
    return { key: await storeKey(client, rows[0]!.organizationId), trigger: '/api/o/crowd/p/p/a/a/e/e/trigger/' };
  });
}

/** Stores a key with all permissions, of an operator when no organization is named, and answers its text. */
export async function storeKey(client: Client, organizationId: number | null, name = 'k'): Promise<string> {
  const key = newApiKey();
  await client.query('insert into api_keys (organization_id, name, permissions, hash) values ($1, $2, $3, $4)', [
    ...[organizationId, name, PERMISSIONS],
    Buffer.from(hashApiKey(key), 'hex'),
  ]);
  return key;
}
