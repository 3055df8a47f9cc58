import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { operations } from '../support/contract/contract.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';
import { fillInbox } from '../support/world/inbox.js';
import { storeOccurrence } from '../support/world/occurrence.js';

// The number of SQL statements a page costs must not depend on the number of its rows, and a whole list is read as pages are.
// A page of withheld notifications has at most 50 items, whatever the limit.
const lists = operations.filter(
  ({ parameters, path }) => parameters.some(({ name }) => name === 'limit') && !path.endsWith('/withheld/'),
);

const MANY = 1000;

let app: TestApp;
let key: string;
let sql: Client;
let names: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key(); // an operator's: it reaches all organizations too
  sql = new Client({ connectionString: app.databaseUrl });
  await sql.connect();
  const { rows } = await sql.query<{ id: number }>(
    `select id from distribution_lists where name = 'Staff' order by id limit 1`,
  );
  names = {
    org: 'acme',
    prj: 'shop',
    app: 'web',
    evt: 'order-paid',
    username: 'ann@acme.test',
    pk: String(rows[0]!.id),
    layout: 'main',
    partial: 'end',
    occurrence: (await storeOccurrence(sql, 'acme', 1)).id,
  };
});
afterAll(async () => {
  await sql.end();
  await app.stop();
});

const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!));

/** The least of three: a key is looked up anew every five seconds, and its use noted every minute. */
async function statementsOf(path: string): Promise<{ count: number; rows: number }> {
  const counts = [await countOf(path), await countOf(path), await countOf(path)];
  return counts.reduce((least, each) => (each.count < least.count ? each : least));
}

/** Every statement that a request sends, as `pg` sends them. */
async function countOf(path: string): Promise<{ count: number; rows: number }> {
  let rows = 0;
  const sent = await sentDuring(async () => {
    const { status, body } = await app.as(key).get(path);
    expect(status).toBe(200);
    rows = (body as unknown[]).length;
  });
  return { count: sent.length, rows };
}

async function addMany(): Promise<void> {
  await fillInbox(sql, 'ann@acme.test', MANY);
  const one = (table: string, columns: string, values: string, from: string) =>
    sql.query(`insert into ${table} (${columns}) select ${values} from ${from}, generate_series(1, ${MANY}) n`);
  const acme = `(select * from organizations where slug = 'acme') o`;
  const shop = `(select * from projects where slug = 'shop' and organization_id = (select id from organizations where slug = 'acme')) p`;
  const web = `(select a.* from applications a join ${shop} on p.id = a.project_id where a.slug = 'web') a`;
  await one('organizations', 'slug, name', `'o' || n, 'O'`, '(select) nothing');
  await one('projects', 'organization_id, slug, name', `o.id, 'p' || n, 'P'`, acme);
  await one('channels', 'organization_id, slug, name, type', `o.id, 'c' || n, 'C', 'log'`, acme);
  await one(
    'channels',
    'organization_id, project_id, slug, name, type',
    `p.organization_id, p.id, 'c' || n, 'C', 'log'`,
    shop,
  );
  await one('categories', 'organization_id, project_id, slug, name', `p.organization_id, p.id, 'n' || n, 'N'`, shop);
  await one('applications', 'organization_id, project_id, slug, name', `p.organization_id, p.id, 'a' || n, 'A'`, shop);
  await one('events', 'organization_id, application_id, slug, name', `a.organization_id, a.id, 'e' || n, 'E'`, web);
  await one(
    'distribution_lists',
    'organization_id, project_id, name, name_key',
    `p.organization_id, p.id, 'l' || n, 'l' || n`,
    shop,
  );
  await one('api_keys', 'organization_id, name, permissions, hash', `o.id, 'k', '{}', sha256(n::text::bytea)`, acme);
  await one(
    'organization_members',
    'organization_id, email, email_key, role, invited_by',
    `o.id, n || '@acme.test', n || '@acme.test', 'viewer', 'test'`,
    acme,
  );
  await one('signing_secrets', 'organization_id, kid, name, secret', `o.id, 'kid' || n, 'S', ''`, acme);
  await one(
    'api_keys',
    'organization_id, name, permissions, hash, via, expires_at, last_used_at',
    `o.id, 's', '{}', sha256(('s' || n)::bytea), 'link', now() + interval '1 day', now()`,
    acme,
  );
  await one(
    'suppressions',
    'organization_id, name, value, value_key, cause',
    `o.id, 'email', n || '@acme.test', n || '@acme.test', 'manual'`,
    acme,
  );
  await one('files', 'id, organization_id, sha256', `gen_random_uuid(), o.id, sha256(n::text::bytea)`, acme);
  await one(
    'uploads',
    'id, organization_id, file_id, filename, content_type, expires_at',
    `gen_random_uuid(), o.id, (select id from files f where f.sha256 = sha256(n::text::bytea)), 'f', 'text/plain', now() + interval '1 day'`,
    acme,
  );
  await one(
    'users',
    'organization_id, email, email_key',
    `o.id, 'u' || n || '@acme.test', 'u' || n || '@acme.test'`,
    acme,
  );
  await one(
    'addresses',
    'organization_id, user_id, name, value',
    `u.organization_id, u.id, 'extra', 'x' || n`,
    `(select * from users where email = 'ann@acme.test') u`,
  );
  await one(
    'addresses',
    'organization_id, user_id, name, value',
    `u.organization_id, u.id, 'webpush', 'b' || n`,
    `(select * from users where email = 'ann@acme.test') u`,
  );
  const paid = `(select e.* from events e join ${web} on a.id = e.application_id where e.slug = 'order-paid') e`;
  await one('notifications', 'organization_id, event_id, name', `e.organization_id, e.id, 'N' || n`, paid);
  const draft = `e.organization_id, e.id, 'new-' || n, '{}', 'test'`;
  await one('drafts', 'organization_id, event_id, name, notification, saved_by', draft, paid);
  for (const table of ['layouts', 'partials']) {
    await one(table, 'organization_id, slug', `o.id, 'x' || n`, acme);
    await one(table, 'organization_id, project_id, slug', `p.organization_id, p.id, 'x' || n`, shop);
  }
  await sql.query(
    `insert into templates (organization_id, notification_id, channel_id, layout, partials)
     select n.organization_id, n.id, c.id, 'main', '{end}' from notifications n join channels c using (organization_id)
     where c.slug = 'mail' and n.name ~ '^N[0-9]+$'`,
  );
  await one('rulesets', 'organization_id, event_id, superseded_at', `e.organization_id, e.id, now()`, paid);
  await one('audit_entries', 'organization_id, actor, verb, noun', `o.id, 'x', 'x', 'x'`, acme);
  await sql.query(
    `insert into members (organization_id, list_id, user_id, address_id)
     select organization_id, $1, user_id, id from addresses where name = 'extra'`,
    [names.pk],
  );
  await one(
    'occurrences',
    'id, organization_id, event_id, context, options',
    `gen_random_uuid(), e.organization_id, e.id, '{}', '{}'`,
    paid,
  );
  await sql.query(
    `with made as (
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select d.occurrence_id, d.organization_id, d.notification_id, d.channel_id, u.id, 'sent'
       from deliveries d join users u on u.organization_id = d.organization_id and u.id <> d.user_id
       where d.occurrence_id = $1
       returning id
     )
     insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
     select id, number, now(), 5, 'retry', 'busy' from made, generate_series(1, 3) number`,
    [names.occurrence],
  );
  await sql.query(
    `insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
     select d.occurrence_id, d.organization_id, d.notification_id + n, d.channel_id, d.user_id, 'sent'
     from deliveries d join users u on u.id = d.user_id, generate_series(1, ${MANY}) n
     where d.occurrence_id = $1 and u.email = $2`,
    [names.occurrence, names.username],
  );
}

describe('every list operation', () => {
  it(`costs as many statements for a page of ${MANY} rows as for a few`, async () => {
    expect(lists.length).toBeGreaterThanOrEqual(9);
    const measure = async () => {
      const result: Record<string, { count: number; rows: number }> = {};
      for (const { path } of lists) result[path] = await statementsOf(`${fill(path)}?limit=${MANY}`);
      return result;
    };
    const few = await measure();
    await addMany();
    const many = await measure();
    for (const { path } of lists) {
      expect({ path, enough: many[path]!.rows === MANY, few: few[path]!.rows < 50 }).toEqual({
        path,
        enough: true,
        few: true,
      });
      expect({ path, count: many[path]!.count }).toEqual({ path, count: few[path]!.count });
      expect(few[path]!.count).toBeLessThanOrEqual(2);
    }
  });
});
