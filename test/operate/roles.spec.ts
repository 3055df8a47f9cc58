import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { root } from '../../src/platform/config/root.js';
import { REFRESH_DELIVERY_INDEX, SUMMARIZE_DELIVERIES } from '../../src/engine/purge/purge.sql.js';
import { Cluster } from '../../src/platform/database/embedded/postgres-cluster.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const ACME = `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: log, name: Log, type: log }]
    users: [{ email: ann@acme.test }]
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff, members: [ann@acme.test] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications: [{ name: Paid, distribution_list: Staff, templates: [{ channel: log, text: Paid }] }]
`;
const folder = createFolder();
let cluster: Cluster;
let service: Service | undefined;
let early: Awaited<ReturnType<typeof Service.try>>;

/** The statements of docs/operations.md: for a superuser, and for the owner in the new database. */
function documented(): [superuser: string, owner: string] {
  const section = readFileSync(join(root, 'docs', 'operations.md'), 'utf8')
    .split('\n### Roles\n')[1]!
    .split('\n## ')[0]!;
  const [superuser, owner] = [...section.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql]) => sql!);
  return [superuser!, owner!];
}

const urlOf = (role: string) => cluster.url.replace(/\/\/[^@]+@/, `//${role}:change%20me@`);

async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const as = (role: string, sql: string) => run(urlOf(role), sql);

beforeAll(async () => {
  cluster = await Cluster.at(folder.path, 60);
  await cluster.start();
  const [superuser, owner] = documented();
  const statements = superuser.split(/(?<=;)\n/).filter((statement) => statement.trim());
  await run(cluster.url.replace(/carillon$/, 'postgres'), 'drop database carillon', ...statements);
  await as('carillon_owner', owner);
  early = await Service.try(['start'], { DATABASE_URL: urlOf('carillon_service'), PORT: '0' });
  await Service.run(['migrate'], { DATABASE_URL: urlOf('carillon_owner') });
  writeFileSync(join(folder.path, 'acme.yaml'), ACME);
  await Service.run(['apply', join(folder.path, 'acme.yaml')], { DATABASE_URL: urlOf('carillon_service') });
  service = await Service.start({ DATABASE_URL: urlOf('carillon_service') });
});
afterAll(async () => {
  await service?.stop();
  await cluster?.stop();
  folder.remove();
});

const REFUSED = /permission denied|must be owner/;

describe('the roles of docs/operations.md', () => {
  it('the service does not start before the owner has migrated', () => {
    expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/^carillon: .*permission denied.*\n$/)]);
  });

  it('the service triggers and sends with a role that owns nothing', async () => {
    const env = { DATABASE_URL: urlOf('carillon_service') };
    const key = await Service.run(['key', 'create', '--org', 'acme', '--name', 'test', '--all'], env);
    const headers = { Authorization: `Key ${key.trim()}`, 'Content-Type': 'application/json' };
    const url = `${service!.url}/api/o/acme/p/shop/a/web/e/paid/trigger/`;
    const body = JSON.stringify({ context: {} });
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
    const sent = `select 1 from deliveries where status = 'sent'`;
    await until(60_000, async () => (await as('carillon_reader', sent)).length === 1);
  });

  it('the service keeps the index of deliveries', async () => {
    await as('carillon_service', SUMMARIZE_DELIVERIES);
    await run(urlOf('carillon_service'), `prepare refresh as ${REFRESH_DELIVERY_INDEX}`, 'execute refresh (0, 0)');
  });

  it('the service cannot change the schema', async () => {
    await expect(as('carillon_service', 'create table more (id int)')).rejects.toThrow(REFUSED);
    await expect(as('carillon_service', 'alter table users add column more int')).rejects.toThrow(REFUSED);
    await expect(as('carillon_service', 'drop table users')).rejects.toThrow(REFUSED);
  });

  it('the reader reads, and cannot write', async () => {
    expect(await as('carillon_reader', `select slug from organizations`)).toEqual([{ slug: 'acme' }]);
    await expect(as('carillon_reader', `update organizations set name = 'x'`)).rejects.toThrow(REFUSED);
    await expect(as('carillon_reader', 'delete from users')).rejects.toThrow(REFUSED);
    await expect(as('carillon_reader', 'create table more (id int)')).rejects.toThrow(REFUSED);
  });
});
