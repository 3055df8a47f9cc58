import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { NotificationEntry, StatusWebhookEntry } from '../../src/operate/provisioning/file.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import { SLOTS_PER_LANE } from '../../src/platform/queue/worker.js';
import type { StatusOutcome } from '../../src/engine/report/status-webhook.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { signingSecret } from '../support/world/signing-secret.js';
import { Tenant, fileOf, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const SECRET = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;

interface Told {
  id: number;
  occurrence: string;
  user: string | null;
  channel: string;
  outcome: StatusOutcome;
  attempt: number;
  at: string;
  answer: string | null;
}

interface StatusBody {
  type: string;
  timestamp: string;
  data: { organization: string; project: string; application: string; deliveries: Told[] };
}

let app: TestApp;
/** Where messages go, and where their application hears of them. */
let hooks: HttpSink;
let status: HttpSink;
const log: string[] = [];
const { write } = process.stdout;

beforeAll(async () => {
  process.stdout.write = (chunk: string | Uint8Array) => {
    log.push(String(chunk));
    return true;
  };
  app = await TestApp.start({ ROLE: 'all', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' });
  await app.pool.query(`
    create table added_jobs (id bigint, payload json);
    create function note_job() returns trigger language plpgsql as
      $$ begin insert into added_jobs select new.id, new.payload; return null; end $$;
    create trigger note_job after insert on jobs for each row execute function note_job();
    create trigger note_retry after update on jobs for each row when (old.payload <> new.payload) execute function note_job();`);
});
beforeEach(async () => {
  log.length = 0;
  hooks = await HttpSink.start();
  status = await HttpSink.start();
});
afterEach(() => queueIsEmpty(app).finally(() => Promise.all([hooks.close(), status.close()])));
afterAll(() => app.stop().finally(() => (process.stdout.write = write)));

const statusWebhook = (more: Partial<StatusWebhookEntry> = {}): StatusWebhookEntry => ({
  url: status.url('/status'),
  secret: SECRET,
  ...more,
});

const tell: NotificationEntry = {
  name: 'Tell',
  distribution_list: 'Staff',
  templates: [{ channel: 'hook', text: 'Order {{ order }}' }],
};

const tenantWith = (given: Given = {}, people = [ANN]) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url('/in'))],
    lists: [{ name: 'Staff', members: people }],
    notifications: [tell],
    statusWebhook: statusWebhook(),
    ...given,
  });

const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body) as StatusBody;
const told = () => status.requests.flatMap((request) => bodyOf(request).data.deliveries);
const heard = () => told().map(({ user, outcome, attempt, answer }) => [user, outcome, attempt, answer]);
const idsOf = ({ requests }: HttpSink) => requests.map(({ headers }) => headers['webhook-id']);

/** Waits until the status endpoint was told of so many deliveries. */
const toldOf = (count: number) => until(15_000, () => told().length >= count && told());
const requested = (count: number) => until(15_000, () => status.requests.length >= count);

/** Every report job that was ever added for the deliveries of an occurrence. */
async function reportJobs(occurrence: string): Promise<{ deliveries: [number, number, string][]; tries: number }[]> {
  const { rows } = await app.pool.query<{ payload: { deliveries: [number, number, string][]; tries: number } }>(
    `select distinct on (j.id, j.payload->>'tries') j.payload from added_jobs j, json_array_elements(j.payload->'deliveries') told
     join deliveries d on d.id = (told->>0)::bigint
     where d.occurrence_id = $1 order by j.id, j.payload->>'tries'`,
    [occurrence],
  );
  return rows.map(({ payload }) => payload);
}

const warnings = () =>
  log
    .flatMap((chunk) => chunk.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ context }) => context === 'Report');

describe('a status webhook', () => {
  it('says what became of a message, signed so that a Standard Webhooks library accepts it', async () => {
    hooks.reply = () => ({ status: 200, body: 'thanks' });
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({ order: 'A-17' });
    const [delivery] = await tenant.settled(occurrence);
    await toldOf(1);
    const [attempt] = await tenant.attempts(occurrence);
    const [request] = status.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/status', headers: { 'content-type': 'application/json' } });
    const body = new Webhook(SECRET).verify(request!.body, request!.headers as Record<string, string>) as StatusBody;
    expect(body).toEqual({
      type: 'delivery.status',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        organization: tenant.org,
        project: 'shop',
        application: 'web',
        deliveries: [
          {
            id: Number(delivery!.id),
            occurrence,
            event: 'order-paid',
            notification: 'Tell',
            channel: 'hook',
            user: ANN,
            outcome: 'sent',
            attempt: 1,
            at: attempt!.at.toISOString(),
            answer: '200 thanks',
          },
        ],
      },
    });
    const another = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`;
    expect(() => new Webhook(another).verify(request!.body, request!.headers as Record<string, string>)).toThrow(
      'No matching signature found',
    );
  });

  it('hears of an attempt that failed and is made again, and then that it was sent', async () => {
    hooks.reply = () => (hooks.requests.length === 1 ? { status: 500, body: 'oops' } : { status: 200 });
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    await toldOf(1);
    await travelToNextAttempt(app);
    await tenant.settled(occurrence);
    await toldOf(2);
    expect(heard()).toEqual([
      [ANN, 'failed', 1, '500 oops'],
      [ANN, 'sent', 2, '200'],
    ]);
    expect(new Set(idsOf(status)).size).toBe(2);
  });

  it('hears of a delivery that is given up, and of what a retry by hand makes of it', async () => {
    hooks.reply = () => ({ status: 410, body: 'gone' });
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    await toldOf(1);
    hooks.reply = () => ({ status: 200 });
    await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/retry/`);
    await toldOf(2);
    expect(heard()).toEqual([
      [ANN, 'dead', 1, '410 gone'],
      [ANN, 'sent', 2, '200'],
    ]);
  });

  it('hears of a delivery that died before any provider was called', async () => {
    const broken: NotificationEntry = { ...tell, templates: [{ channel: 'hook', text: '{{ code | base64_decode }}' }] };
    const tenant = await tenantWith({
      notifications: [
        { ...broken, name: '1 breaks on the context' },
        { ...tell, name: '2 has a condition that fails', when: 'length(total) > `0`' },
      ],
    });
    const before = Date.now();
    await tenant.triggerAndSettle({ code: 'not base64!', total: 7 });
    await toldOf(2);
    expect(heard().sort((a, b) => String(a[3]).localeCompare(String(b[3]), 'en'))).toEqual([
      [ANN, 'dead', 0, 'the condition of the rule failed: length() cannot take number.'],
      [ANN, 'dead', 0, expect.stringMatching(/^the template failed: /)],
    ]);
    for (const { at } of told()) {
      expect(Date.parse(at)).toBeGreaterThan(before - 1000);
      expect(Date.parse(at)).toBeLessThan(Date.now() + 1000);
    }
    expect(hooks.requests).toHaveLength(0);
  });

  it('hears that a channel gave up and that its fallback did not', async () => {
    hooks.reply = ({ path }) => ({ status: path === '/in' ? 410 : 200 });
    const channels = [
      { ...webhook('hook', hooks.url('/in')), fallback: 'spare' },
      webhook('spare', hooks.url('/spare')),
    ];
    const tenant = await tenantWith({ channels });
    await tenant.triggerAndSettle();
    await toldOf(2);
    // In no certain order.
    expect(
      told()
        .map(({ channel, outcome }) => `${channel} ${outcome}`)
        .sort(),
    ).toEqual(['hook dead', 'spare sent']);
  });

  it('hears of every delivery of a crowd, at most fifty in a request', async () => {
    const people = Array.from({ length: 120 }, (_, i) => `user-${i}@acme.test`);
    const tenant = await tenantWith(
      { notifications: [tell, { ...tell, name: 'Fails', when: 'length(`7`) > `0`' }] },
      people,
    );
    await tenant.triggerAndSettle();
    await toldOf(240);
    expect(new Set(told().map(({ id, attempt, outcome }) => `${id} ${attempt} ${outcome}`)).size).toBe(240);
    expect(told().filter(({ outcome }) => outcome === 'dead')).toHaveLength(120);
    expect(Math.max(...status.requests.map((request) => bodyOf(request).data.deliveries.length))).toBeLessThanOrEqual(
      50,
    );
  });

  it('hears only of the outcomes it wants', async () => {
    hooks.reply = ({ body }) => ({ status: body.includes(BOB) ? 410 : 200 });
    const tenant = await tenantWith({ statusWebhook: statusWebhook({ outcomes: ['dead'] }) }, [ANN, BOB]);
    const mixed = await tenant.trigger();
    await tenant.settled(mixed);
    await toldOf(1);
    hooks.reply = () => ({ status: 200 });
    const fine = await tenant.trigger();
    await tenant.settled(fine);
    await queueIsEmpty(app);
    expect(heard()).toEqual([[BOB, 'dead', 1, '410']]);
    expect(await reportJobs(mixed)).toMatchObject([{ deliveries: [[expect.any(Number), 1, 'dead']], tries: 0 }]);
    expect(await reportJobs(fine)).toEqual([]);
  });

  it('does not hear of a message that a gate stopped', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.triggerExpired();
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'skipped', gate: 'expired' }]);
    await queueIsEmpty(app);
    expect(await reportJobs(occurrence)).toEqual([]);
  });

  it('costs an application without one, or with one that is switched off, no job at all', async () => {
    for (const given of [{ statusWebhook: null }, { statusWebhook: statusWebhook({ enabled: false }) }]) {
      const tenant = await tenantWith(given);
      const occurrence = await tenant.trigger();
      expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }]);
      await queueIsEmpty(app);
      expect(await reportJobs(occurrence)).toEqual([]);
    }
    expect(status.requests).toHaveLength(0);
  });
});

describe('the answer of a status endpoint', () => {
  it('500 is tried again on the schedule of deliveries, with the same webhook-id and body', async () => {
    let answeredAt = 0;
    status.reply = () => {
      answeredAt ||= Date.now();
      return { status: status.requests.length === 1 ? 500 : 200 };
    };
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    const again = await until(15_000, async () => {
      const { rows } = await app.pool.query<{ at: Date }>(
        `select run_at at from jobs where (payload->>'tries')::int = 1 and state = 'scheduled'`,
      );
      return rows[0];
    });
    // Five seconds, give or take a fifth, after a moment between the answer and now.
    expect(again.at.getTime()).toBeGreaterThanOrEqual(answeredAt + 4000);
    expect(again.at.getTime()).toBeLessThanOrEqual(Date.now() + 6000);
    await travelToNextAttempt(app);
    await requested(2);
    await queueIsEmpty(app);
    expect(status.requests).toHaveLength(2);
    expect(new Set(idsOf(status)).size).toBe(1);
    expect(status.requests[1]!.body).toBe(status.requests[0]!.body);
    expect(() =>
      new Webhook(SECRET).verify(status.requests[1]!.body, status.requests[1]!.headers as Record<string, string>),
    ).not.toThrow();
    expect((await reportJobs(occurrence)).map(({ tries }) => tries)).toEqual([0, 1]);
    expect(warnings()).toEqual([]);
  });

  it('500 for ever is given up after eight tries, with one line in the log', async () => {
    status.reply = () => ({ status: 500, body: `${SECRET} broke ${status.url('/status')}` });
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    for (let tries = 1; tries < 8; tries++) {
      await requested(tries);
      await travelToNextAttempt(app);
    }
    await requested(8);
    await queueIsEmpty(app);
    expect(status.requests).toHaveLength(8);
    expect(new Set(idsOf(status)).size).toBe(1);
    expect(warnings()).toMatchObject([
      {
        message: 'gave up on a status webhook report',
        application: `${tenant.org}/shop/web`,
        deliveries: 1,
        tries: 8,
        answer: '500 *** broke ***',
      },
    ]);
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  it('404 drops what it refuses at once, with one line in the log', async () => {
    status.reply = () => ({ status: 404, body: 'no such page' });
    await (await tenantWith()).triggerAndSettle();
    await requested(1);
    await queueIsEmpty(app);
    expect(status.requests).toHaveLength(1);
    expect(warnings()).toMatchObject([{ level: 'warn', tries: 1, answer: '404 no such page' }]);
  });

  it('that never comes delays no message, of the same application or of another', async () => {
    status.reply = () => 'silence';
    const tenant = await tenantWith();
    const other = await tenantWith({ statusWebhook: null });
    // One after the other: what comes together is told together.
    for (let i = 0; i < 2 * SLOTS_PER_LANE; i++) await tenant.settled(await tenant.trigger());
    // All that may wait for it do.
    await requested(SLOTS_PER_LANE);
    await tenant.settled(await tenant.trigger());
    await other.settled(await other.trigger());
    // Those that wait have not even been given up.
    expect(status.requests.length).toBeLessThanOrEqual(SLOTS_PER_LANE);
    await tenant.apply({ statusWebhook: null });
    await status.close();
    status = await HttpSink.start();
    // Those in flight come back once more, and find that nobody wants to hear of them.
    await until(15_000, async () => {
      await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
      return (await app.pool.query('select from jobs')).rowCount === 0;
    });
    expect(status.requests).toHaveLength(0);
  });

  it('is not asked for at an address that is private', async () => {
    const tenant = await tenantWith({
      statusWebhook: statusWebhook({ url: 'http://169.254.169.254/latest/x?token=1' }),
    });
    await tenant.triggerAndSettle();
    await queueIsEmpty(app);
    expect(warnings()).toMatchObject([
      {
        tries: 1,
        answer:
          '169.254.169.254 is not allowed: it has a linkLocal address. The operator can allow it with OUTBOUND_ALLOW',
      },
    ]);
  });
});

describe('the status webhook of one application', () => {
  it('hears nothing of another application, nor of another tenant', async () => {
    const mine = await tenantWith();
    const events = [{ slug: 'order-paid', name: 'Order paid', notifications: [tell] }];
    const applications = [{ slug: 'till', name: 'Till', events }];
    const projects = [{ slug: 'shop', name: 'Shop', applications }];
    await app.apply(JSON.stringify({ organizations: [{ slug: mine.org, name: 'The same', projects }] }));
    const beside = await app.as(mine.key).post(`/api/o/${mine.org}/p/shop/a/till/e/order-paid/trigger/`);
    const besides = (beside.body as { occurrence: string }).occurrence;
    await until(15_000, async () => (await mine.deliveries(besides))[0]?.status === 'sent');
    const theirs = await tenantWith({ statusWebhook: null });
    const foreign = await theirs.trigger();
    await theirs.settled(foreign);
    const own = await mine.trigger();
    await mine.settled(own);
    await toldOf(1);
    await queueIsEmpty(app);
    expect(told().map(({ occurrence }) => occurrence)).toEqual([own]);
    expect([await reportJobs(besides), await reportJobs(foreign)]).toEqual([[], []]);
  });

  it('is told nothing of a foreign delivery even if a job asks for it', async () => {
    const mine = await tenantWith();
    const theirs = await tenantWith({ statusWebhook: null });
    const own = await mine.trigger();
    const foreign = await theirs.trigger();
    const ids = [...(await mine.settled(own)), ...(await theirs.settled(foreign))].map(({ id }) => id);
    await toldOf(1);
    await app.pool.query(
      `insert into jobs (task, organization_id, payload)
       select 'report', a.organization_id, json_build_object('id', 'forged', 'application', a.id, 'at', now(), 'tries', 0,
         'deliveries', (select json_agg(json_build_array(id, 1, 'sent')) from unnest($2::bigint[]) id))
       from applications a join organizations o on o.id = a.organization_id where o.slug = $1`,
      [mine.org, ids],
    );
    await requested(2);
    await queueIsEmpty(app);
    expect(told().map(({ occurrence }) => occurrence)).toEqual([own, own]);
  });
});

describe('provisioning', () => {
  const apply = (file: string, env = {}) => app.app.get(ProvisioningService).apply(file, { env });
  const stored = async (org: string) => {
    const { rows } = await app.pool.query<{ url: string; secret: string; outcomes: string[]; enabled: boolean }>(
      `select w.url, w.secret, w.outcomes, w.enabled from status_webhooks w join organizations o on o.id = w.organization_id
       where o.slug = $1`,
      [org],
    );
    return rows;
  };

  it('makes it, changes nothing the second time, leaves it when it is left out, and removes it with null', async () => {
    const file = fileOf('acme', { statusWebhook: { url: 'https://h.test/', secret: { env: 'STATUS_SECRET' } } });
    const env = { STATUS_SECRET: signingSecret('marker-of-a-secret') };
    const name = 'acme/shop/web';
    expect(await apply(file, env)).toContainEqual({ verb: 'create', noun: 'status webhook', name });
    const [row] = await stored('acme');
    expect(row).toEqual({
      url: 'https://h.test/',
      secret: expect.stringMatching(/^v1\./),
      outcomes: ['sent', 'failed', 'dead'],
      enabled: true,
    });
    expect(JSON.stringify(row)).not.toContain(env.STATUS_SECRET);
    expect(await apply(file, env)).toEqual([]);
    expect(await apply(fileOf('acme', {}))).toEqual([]);
    expect(await stored('acme')).toEqual([row]);
    expect(await apply(file, { STATUS_SECRET: signingSecret('another') })).toEqual([
      { verb: 'update', noun: 'status webhook', name, differences: [{ field: 'secret' }] },
    ]);
    const less = {
      url: 'https://h.test/',
      secret: signingSecret('another'),
      enabled: false,
      outcomes: ['dead', 'sent'] as StatusOutcome[],
    };
    expect(await apply(fileOf('acme', { statusWebhook: less }))).toHaveLength(1);
    expect(await stored('acme')).toMatchObject([{ outcomes: ['sent', 'dead'], enabled: false }]);
    const removal = fileOf('acme', { statusWebhook: null });
    expect(await apply(removal)).toEqual([{ verb: 'delete', noun: 'status webhook', name }]);
    expect(await stored('acme')).toEqual([]);
    expect(await apply(removal)).toEqual([]);
  });

  it('seals the secret to its application: in another row it does not open', async () => {
    const [mine, theirs] = [
      await tenantWith(),
      await tenantWith({ statusWebhook: statusWebhook({ secret: signingSecret('other') }) }),
    ];
    const [row] = await stored(mine.org);
    await app.pool.query(
      `update status_webhooks w set secret = $2 from organizations o where o.id = w.organization_id and o.slug = $1`,
      [theirs.org, row!.secret],
    );
    const occurrence = await theirs.trigger();
    await theirs.settled(occurrence);
    await until(15_000, async () => (await reportJobs(occurrence)).length === 2);
    expect(status.requests).toHaveLength(0);
    await theirs.apply({ statusWebhook: statusWebhook({ secret: signingSecret('other') }) });
    await travelToNextAttempt(app);
    await toldOf(1);
  });

  const PLACE = 'organizations[0].projects[0].applications[0].status_webhook';
  it.each<[string, object, string]>([
    ['without a secret', { url: 'http://h.test/' }, `${PLACE}.secret: is required`],
    ['without a url', { secret: 'x' }, `${PLACE}.url: is required`],
    [
      'with an unknown outcome',
      { url: 'http://h.test/', secret: 'x', outcomes: ['opened'] },
      `${PLACE}.outcomes[0]: is not one of the allowed values. Known: sent`,
    ],
    ['with no outcome', { url: 'http://h.test/', secret: 'x', outcomes: [] }, `${PLACE}.outcomes: must NOT have fewer`],
    ['with an unknown field', { url: 'http://h.test/', secret: 'x', to: 'x' }, `${PLACE}.to: is not a known field`],
    [
      'that is no web address',
      { url: 'ftp://h.test/', secret: signingSecret('x') },
      'application bad/shop/web: status_webhook.url: must be a URL that starts with http:// or https://',
    ],
    [
      'with a secret that other verifiers read differently',
      { url: 'http://h.test/', secret: 'plain text' },
      'bad/shop/web: status_webhook.secret: must be whsec_ and then base64',
    ],
    ['with an empty secret', { url: 'http://h.test/', secret: '' }, 'bad/shop/web: status_webhook.secret: is required'],
    [
      'whose secret is not set',
      { url: 'http://h.test/', secret: { env: 'NOT_SET' } },
      'application bad/shop/web: status_webhook.secret: needs the environment variable NOT_SET: set it',
    ],
    [
      'whose secret is in no file',
      { url: 'http://h.test/', secret: { file: 'nowhere.txt' } },
      'application bad/shop/web: status_webhook.secret: needs the file nowhere.txt, but it cannot be read',
    ],
  ])('refuses one %s', async (_, entry, sentence) => {
    await expect(apply(fileOf('bad', { statusWebhook: entry as StatusWebhookEntry }))).rejects.toThrow(sentence);
    expect((await app.pool.query(`select from organizations where slug = 'bad'`)).rowCount).toBe(0);
  });
});
