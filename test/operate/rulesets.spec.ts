import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/platform/config/config.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { KEPT_REVISIONS } from '../../src/engine/purge/purge.sql.js';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
// Only the API: a story says when something is purged.
useApp({}, (started) => (app = started));

const ANN = 'ann@acme.test';
const COUNT = 8;
const SIZE = 100 * 1024;

/** Text that does not compress. */
const randomText = (length: number) => randomBytes(length / 2).toString('hex');

const rule = (name: string, size: number): NotificationEntry => ({
  name,
  distribution_list: 'Staff',
  templates: [{ channel: 'inbox', text: randomText(size) }],
});

const tenantWith = (notifications: NotificationEntry[]) =>
  Tenant.create(app, { channels: [inbox('inbox')], lists: [{ name: 'Staff', members: [ANN] }], notifications });

/** Bytes that the rulesets of all events take. */
async function rulesetBytes(): Promise<number> {
  const { rows } = await app.pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid)) bytes from pg_class where relname in ('rulesets', 'rule_versions')`,
  );
  return Number(rows[0]!.bytes);
}

it('a change of one notification stores that notification, not all notifications of its event again', async () => {
  const tenant = await tenantWith([]);
  const before = await rulesetBytes();
  for (let n = 0; n < COUNT; n++) await tenant.apply({ notifications: [rule(`Rule ${n}`, SIZE)] });
  const written = (await rulesetBytes()) - before;
  expect(written).toBeLessThan(2 * COUNT * SIZE);
  const notifications = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/n/`;
  const { body } = await app.as(tenant.key).get(`${notifications}?limit=1`);
  const [{ id }] = body as [{ id: number }];
  for (let n = 0; n < 6; n++) {
    const answer = await app
      .as(tenant.key)
      .patch(`${notifications}${id}/`)
      .send({ enabled: n % 2 === 1 });
    expect(answer.status).toBe(200);
  }
  const toggled = (await rulesetBytes()) - before - written;
  // Off and on are two versions, however often it is switched.
  expect(toggled).toBeLessThan(3 * SIZE);
});

describe('the purge', () => {
  const purge = () => new Purge(app.databaseUrl, readConfig({})).run();

  /** As after more than a day. */
  const letADayPass = ({ org }: Tenant, days = 1) =>
    app.pool.query(
      `update rulesets r set superseded_at = superseded_at - make_interval(hours => 26 * $2) from organizations o
       where o.id = r.organization_id and o.slug = $1`,
      [org, days],
    );

  async function left({ org }: Tenant): Promise<{ rulesets: number; versions: number }> {
    const { rows } = await app.pool.query<{ rulesets: number; versions: number }>(
      `select (select count(*)::int from rulesets where organization_id = o.id) rulesets,
              (select count(*)::int from rule_versions where organization_id = o.id) versions
       from organizations o where slug = $1`,
      [org],
    );
    return rows[0]!;
  }

  /** As if the notifications were changed so many more times. */
  const changeAgain = ({ org }: Tenant, times: number) =>
    app.pool.query(
      `insert into rulesets (organization_id, event_id, versions, superseded_at)
       select o.id, e.id, '{}', now() + make_interval(secs => n / 1000.0) from organizations o join events e on e.organization_id = o.id,
         generate_series(1, $2::int) n where o.slug = $1`,
      [org, times],
    );

  /** With that in force, all that are kept. */
  const OTHERS = KEPT_REVISIONS - 1;

  it('keeps the newest 500 revisions of an event, however old they are', async () => {
    const tenant = await tenantWith([rule('Old', 40)]);
    await tenant.apply({ notifications: [rule('Old', 40)] });
    await changeAgain(tenant, KEPT_REVISIONS - 2);
    await letADayPass(tenant, 400);
    expect(await purge()).toMatchObject({ rulesets: 0 });
    expect(await left(tenant)).toEqual({ rulesets: KEPT_REVISIONS, versions: 2 });
    await changeAgain(tenant, 1);
    expect(await purge()).toMatchObject({ rulesets: 1 });
    expect(await left(tenant)).toEqual({ rulesets: KEPT_REVISIONS, versions: 1 });
  });

  it('deletes older rulesets that no occurrence refers to, a day after they were replaced, and keeps all others', async () => {
    const tenant = await tenantWith([rule('Old', 40), rule('Always', 40)]);
    const occurrence = await tenant.trigger();
    for (let n = 0; n < 3; n++) await tenant.apply({ notifications: [rule('Old', 40)] });
    expect(await left(tenant)).toEqual({ rulesets: 4, versions: 5 });
    await changeAgain(tenant, OTHERS);
    await purge();
    expect(await left(tenant)).toEqual({ rulesets: 4 + OTHERS, versions: 5 });
    await letADayPass(tenant);
    expect(await purge()).toMatchObject({ rulesets: 2 });
    // That of the occurrence, and that in force.
    expect(await left(tenant)).toEqual({ rulesets: 2 + OTHERS, versions: 3 });
    const worker = await startWorker(app);
    expect(await tenant.settled(occurrence)).toHaveLength(2);
    await worker.stop();
    await app.pool.query('delete from occurrences where id = $1', [occurrence]);
    expect(await purge()).toMatchObject({ rulesets: 1 });
    expect(await left(tenant)).toEqual({ rulesets: 1 + OTHERS, versions: 2 });
  });

  it('leaves an event alone whose rules are being changed', async () => {
    const tenant = await tenantWith([rule('Old', 40)]);
    await tenant.apply({ notifications: [rule('Old', 40)] });
    await changeAgain(tenant, OTHERS);
    await letADayPass(tenant);
    const change = await app.pool.connect();
    try {
      await change.query('begin');
      await change.query('select from events for no key update');
      expect(await purge()).toMatchObject({ rulesets: 0 });
      await change.query('rollback');
    } finally {
      change.release();
    }
    expect(await purge()).toMatchObject({ rulesets: 1 });
    expect(await left(tenant)).toEqual({ rulesets: 1 + OTHERS, versions: 1 });
  });
});
