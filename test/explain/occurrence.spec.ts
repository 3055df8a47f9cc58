import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { allBut } from '../support/contract/operations.js';
import { forbidden, notFound } from '../support/contract/problems.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Reader } from '../support/world/reader.js';
import type { Item } from '../support/world/reader.js';
import { travelToNextAttempt } from '../support/world/tenant.js';
import type { Tenant } from '../support/world/tenant.js';
import { ANN, NO_COUNTS, createStory } from './occurrence-story.js';

let app: TestApp;
let hooks: HttpSink;
let reader: Reader;
beforeAll(async () => {
  [app, hooks] = await Promise.all([TestApp.start({ ROLE: 'all' }), HttpSink.start()]);
  reader = new Reader(app);
});
afterAll(async () => {
  await app.stop();
  await hooks.close();
});

const EVENT = 'p/shop/a/web/e/order-paid/o/';
const FAILED = 'the condition of the rule failed: length() cannot take number.';

describe('an occurrence', () => {
  let tenant: Tenant;
  let id: string;
  const OPTIONS = { priority: 'critical', expires_at: '2099-01-01T00:00:00+01:00' };

  beforeAll(async () => {
    tenant = await createStory(app, hooks);
    id = await tenant.trigger({ total: 120 }, OPTIONS);
    await tenant.tried(id, 1);
  });

  const get = async (occurrence = id) =>
    (await reader.one(tenant, `occurrences/${occurrence}/`)) as Item & { rules: Item[] };

  it('shows what was asked for, and what became of every rule and channel', async () => {
    const { rules, expanded_at: _, ...rest } = await get();
    expect(rest).toEqual({
      id,
      status: 'expanded',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      priority: 'critical',
      send_at: null,
      send_at_local: null,
      expires_at: '2098-12-31T23:00:00.000Z',
      canceled_at: null,
      approved_at: null,
      event: 'order-paid',
      application: 'web',
      project: 'shop',
      context: { total: 120 },
      options: OPTIONS,
      problem: null,
      warnings: [],
      attachments: [],
      acknowledgements: [],
      resolutions: [],
      ended: [],
      next_step_at: null,
      steps: null,
      done: false,
      counts: { total: 15, pending: 1, sent: 4, skipped: 6, dead: 4 },
      gates: { locked: 3, inactive: 3 },
    });
    expect(rules).toHaveLength(4);
    expect(rules).toEqual(
      expect.arrayContaining([
        {
          notification: 'Tell',
          verdict: 'matched',
          reason: null,
          channels: [
            { channel: 'hook', verdict: 'open', counts: { total: 5, pending: 1, sent: 1, skipped: 2, dead: 1 } },
            { channel: 'box', verdict: 'open', counts: { total: 5, pending: 0, sent: 3, skipped: 2, dead: 0 } },
          ],
        },
        {
          notification: 'Large',
          verdict: 'filtered',
          reason: null,
          channels: [{ channel: 'box', verdict: 'open', counts: NO_COUNTS }],
        },
        {
          notification: 'Off',
          verdict: 'disabled',
          reason: null,
          channels: [{ channel: 'box', verdict: 'open', counts: NO_COUNTS }],
        },
        {
          notification: 'Broken',
          verdict: 'failed',
          reason: FAILED,
          channels: [
            { channel: 'box', verdict: 'open', counts: { total: 5, pending: 0, sent: 0, skipped: 2, dead: 3 } },
          ],
        },
      ]),
    );
  });

  it('is done when nothing is left to be sent', async () => {
    hooks.reply = () => ({ status: 200 });
    await travelToNextAttempt(app);
    await tenant.settled(id);
    expect(await get()).toMatchObject({ done: true, counts: { total: 15, pending: 0, sent: 5, skipped: 6, dead: 4 } });
  });

  it('has no rules, no deliveries and no end while it waits for its time', async () => {
    const waiting = await tenant.trigger({}, { send_at: '2099-01-01T00:00:00Z' });
    expect(await get(waiting)).toMatchObject({
      status: 'pending',
      send_at: '2099-01-01T00:00:00.000Z',
      done: false,
      counts: NO_COUNTS,
      gates: {},
      rules: [],
    });
    expect(await reader.list(tenant, `occurrences/${waiting}/deliveries/`)).toEqual([]);
  });

  it.each([
    ['canceled', { canceled_at: '2026-03-01T10:00:00.000Z', problem: null }],
    ['failed', { canceled_at: null, problem: 'the audience cannot be read' }],
  ])('is done when it is %s and nothing is on its way', async (status, rest) => {
    const ended = await tenant.trigger({ total: 1 }, { limit_to: [ANN] });
    await tenant.settled(ended);
    const set = 'update occurrences set status = $2, canceled_at = $3, problem = $4 where id = $1';
    await app.pool.query(set, [ended, status, rest.canceled_at, rest.problem]);
    expect(await get(ended)).toMatchObject({ ...rest, status, done: true });
    await app.pool.query(
      `update deliveries set status = 'pending' where id = (select min(id) from deliveries where occurrence_id = $1)`,
      [ended],
    );
    expect(await get(ended)).toMatchObject({ ...rest, status, done: false });
  });

  it('keeps the names of what was deleted since', async () => {
    const other = await createStory(app, hooks);
    const occurrence = await other.trigger({ total: 1 }, { limit_to: [ANN] });
    await other.settled(occurrence);
    const before = await reader.list(other, `occurrences/${occurrence}/deliveries/?channel=box`);
    const { rules } = (await reader.one(other, `occurrences/${occurrence}/`)) as Item & { rules: Item[] };
    const inOrg = 'organization_id = (select id from organizations where slug = $1)';
    await app.pool.query(`delete from notifications where ${inOrg}`, [other.org]);
    await app.pool.query(`delete from channels where ${inOrg} and slug = 'box'`, [other.org]);
    await app.pool.query(`delete from users where ${inOrg} and email = '${ANN}'`, [other.org]);
    expect(await reader.one(other, `occurrences/${occurrence}/`)).toMatchObject({ rules });
    const path = `occurrences/${occurrence}/deliveries/`;
    const after = await reader.list(other, path);
    expect(new Set(before.map(({ notification }) => notification))).toEqual(new Set(['Broken', 'Tell']));
    expect(after).toEqual(expect.arrayContaining(before.map((row) => ({ ...row, channel: null, user: null }))));
    expect(after).toContainEqual(expect.objectContaining({ notification: 'Tell', channel: 'hook', user: null }));
    expect(await reader.list(other, `${path}?user=${ANN}`)).toEqual([]);
    expect(await reader.list(other, `${path}?channel=box`)).toEqual([]);
    expect(await reader.one(other, `${path}${before[0]!.id}/`)).toMatchObject({ channel: null, user: null });
  });

  it('needs the permission occurrence:read', async () => {
    const key = await app.key({ org: tenant.org, permissions: allBut('occurrence:read') });
    for (const path of [
      EVENT,
      `occurrences/${id}/`,
      `occurrences/${id}/deliveries/`,
      `occurrences/${id}/deliveries/1/`,
    ]) {
      const { status, body } = await reader.ask(tenant, path, key);
      expect([status, body]).toEqual([403, forbidden('occurrence:read')]);
    }
    const allowed = await app.key({ org: tenant.org, permissions: ['occurrence:read'] });
    expect((await reader.ask(tenant, `occurrences/${id}/`, allowed)).status).toBe(200);
  });

  it.each(['1', 'x', '019f4c7a', '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21', '%00', "'"])(
    'called %s does not exist',
    async (name) => {
      for (const rest of ['', 'deliveries/', 'deliveries/1/']) {
        const { status, body } = await reader.ask(tenant, `occurrences/${name}/${rest}`);
        expect([status, body]).toEqual([404, notFound('occurrence')]);
      }
    },
  );
});
