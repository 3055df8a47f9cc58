import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { builtInText } from '../../src/dispatcher/provider/built-in.js';
import { TestApp } from '../support/app/app.js';
import { FakeMeta, META_SETTINGS, metaHeaders, statusesBody } from '../support/providers/meta.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
let meta: FakeMeta;
let folder: string;

/** The built-in file, for a service on this machine. */
beforeAll(async () => {
  meta = await FakeMeta.start();
  folder = mkdtempSync(join(tmpdir(), 'carillon-whatsapp-'));
  const text = builtInText('whatsapp').replaceAll('https://graph.facebook.com', meta.origin);
  writeFileSync(join(folder, 'whatsapp_here.yaml'), text.replace(/^type: \w+/, 'type: whatsapp_here'));
  app = await TestApp.start({ ROLE: 'all', PROVIDERS_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  await meta.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => meta.reset());

const ANN = '+15005550006';
const BOB = 'US.13491208655302741918';
const TEMPLATE = {
  name: 'order_paid',
  language: 'en_US',
  parameters: {
    header: ['{{ order }}'],
    body: ['{{ user.first_name }}', '{{ total }} "EUR"'],
    buttons: [null, 'orders/{{ order }}'],
  },
};
const NAMED = {
  name: 'order_paid',
  language: 'de',
  parameters: { body: { order: '{{ order }}', total: '{{ total }}' } },
};
const CONTEXT = { order: 'A-17', total: 120 };

interface World {
  addresses?: Record<string, string>;
  template?: object;
  config?: object;
  channel?: object;
}

const tenantWith = ({ addresses = { ann: ANN }, template = { text: 'Hi' }, config = {}, channel = {} }: World = {}) =>
  Tenant.create(app, {
    channels: [
      inbox('inbox'),
      { slug: 'wa', name: 'WhatsApp', type: 'whatsapp_here', config: { ...META_SETTINGS, ...config }, ...channel },
    ],
    users: Object.entries(addresses).map(([name, value]) => ({
      email: `${name}@acme.test`,
      first_name: name,
      addresses: [{ name: 'whatsapp', value }],
    })),
    lists: [{ name: 'Staff', members: Object.keys(addresses).map((name) => `${name}@acme.test`) }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'wa', ...template }] }],
  });

const settle = async (tenant: Tenant, context: object = CONTEXT) => tenant.settled(await tenant.trigger(context));

const suppressed = async ({ org, key }: Tenant) =>
  (await app.as(key).get(`/api/o/${org}/suppressions/`)).body as object[];

async function detailOf({ org, key }: Tenant, delivery: { id: string; occurrence?: string }, occurrence: string) {
  const { body } = await app.as(key).get(`/api/o/${org}/occurrences/${occurrence}/deliveries/${delivery.id}/`);
  return body as { message: object; reason: string | null };
}

describe('a message over WhatsApp', () => {
  it('is a text, to a number or to a business-scoped user id', async () => {
    const tenant = await tenantWith({ addresses: { ann: ANN, bob: BOB }, template: { text: 'Order {{ order }}' } });
    expect(await settle(tenant)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(meta.shown).toHaveLength(2);
    expect(meta.shown).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ to: ANN, type: 'text', text: { body: 'Order A-17' } }),
        expect.objectContaining({ recipient: BOB, type: 'text', text: { body: 'Order A-17' } }),
      ]),
    );
    expect(meta.shown.map(({ to, recipient }) => [to, recipient].filter(Boolean).length)).toEqual([1, 1]);
  });

  it('is a template with parameters of header, body and buttons, and the delivery shows them', async () => {
    const tenant = await tenantWith({ template: { template: TEMPLATE } });
    const occurrence = await tenant.trigger(CONTEXT);
    const [delivery] = await tenant.settled(occurrence);
    expect(meta.shown).toMatchObject([
      {
        to: ANN,
        type: 'template',
        template: {
          name: 'order_paid',
          language: { code: 'en_US' },
          components: [
            { type: 'header', parameters: [{ type: 'text', text: 'A-17' }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'ann' },
                { type: 'text', text: '120 "EUR"' },
              ],
            },
            { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'orders/A-17' }] },
          ],
        },
      },
    ]);
    expect(meta.shown[0]!.text).toBeUndefined();
    expect((await detailOf(tenant, delivery!, occurrence)).message).toMatchObject({
      text: 'A-17, ann, 120 "EUR", orders/A-17',
      template: {
        name: 'order_paid',
        language: 'en_US',
        parameters: { header: ['A-17'], body: ['ann', '120 "EUR"'], buttons: [null, 'orders/A-17'] },
      },
    });
  });

  it('is a template with parameters by name', async () => {
    const tenant = await tenantWith({ template: { template: NAMED, text: 'Order {{ order }}' } });
    expect(await settle(tenant)).toMatchObject([{ status: 'sent' }]);
    const [body] = meta.shown[0]!.template!.components as { parameters: object[] }[];
    expect(body!.parameters).toHaveLength(2);
    expect(body!.parameters).toEqual(
      expect.arrayContaining([
        { type: 'text', parameter_name: 'order', text: 'A-17' },
        { type: 'text', parameter_name: 'total', text: '120' },
      ]),
    );
  });

  it('has no line breaks in its parameters, and no parameter that is empty', async () => {
    const tenant = await tenantWith({ template: { template: NAMED } });
    await settle(tenant, { order: ' A-17\n\tand   more ', total: 1 });
    expect(JSON.stringify(meta.shown)).toContain('"A-17 and more"');
    expect(await settle(tenant, { total: 1 })).toMatchObject([
      { status: 'dead', reason: expect.stringMatching(/^template\.parameters\.body\.order is empty/) },
    ]);
    expect(meta.shown).toHaveLength(1);
  });

  it.each(['15005550006', '+1 500 555 0006', '+0123456789', 'ann', 'us.1349', 'US.', `US.${'1'.repeat(129)}`])(
    'is refused when it is sent, if its address is %j',
    async (address) => {
      const tenant = await tenantWith({ addresses: { ann: address } });
      expect(await settle(tenant)).toMatchObject([
        {
          status: 'dead',
          reason: expect.stringMatching(/^the address of the kind whatsapp must be a number such as \+1/),
        },
      ]);
      expect([meta.requests.length, await suppressed(tenant)]).toEqual([0, []]);
    },
  );
});

describe('a message that Meta refuses', () => {
  it.each([131026, 131049, 131050, 131047])('goes to the fallback with %i, and its address stays', async (code) => {
    meta.refusing.set(ANN, code);
    const tenant = await tenantWith({ template: { template: NAMED }, channel: { fallback: 'inbox' } });
    const settled = await settle(tenant);
    expect(settled.map(({ status }) => status).sort()).toEqual(['dead', 'sent']);
    expect(await suppressed(tenant)).toEqual([]);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/ann@acme.test/inbox/`);
    expect(body).toMatchObject([{ text: 'A-17, 120' }]);
  });

  it('says what to do when the 24 hours are over', async () => {
    meta.refusing.set(ANN, 131047);
    const [delivery] = await settle(await tenantWith());
    expect(delivery).toMatchObject({
      status: 'dead',
      reason: expect.stringContaining('Give the notification a template'),
    });
  });

  it('waits six seconds because of its person, and others do not', async () => {
    meta.refusing.set(ANN, 131056);
    const tenant = await tenantWith({ addresses: { ann: ANN, bob: BOB } });
    const occurrence = await tenant.trigger(CONTEXT);
    await until(15_000, async () => (await tenant.attempts(occurrence)).length === 2);
    const { rows } = await app.pool.query<{ status: string; wait: number; paused: boolean }>(
      `select d.status, extract(epoch from d.next_attempt_at - a.at)::float wait,
              exists (select from channel_states s where s.channel_id = d.channel_id and s.failures > 0) paused
       from deliveries d join attempts a on a.delivery_id = d.id where d.occurrence_id = $1 order by d.status`,
      [occurrence],
    );
    expect(rows.map(({ status, paused }) => [status, paused])).toEqual([
      ['pending', false],
      ['sent', false],
    ]);
    expect(rows[0]!.wait).toBeGreaterThanOrEqual(5.5);
  });

  it('pauses the channel when its number is limited, and the channel says why', async () => {
    meta.refusing.set(ANN, 131048);
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger(CONTEXT);
    await until(15_000, async () => (await tenant.attempts(occurrence)).length > 0);
    const paused = await until(15_000, async () => {
      const { rows } = await app.pool.query(
        `select 1 from channel_states s join channels c on c.id = s.channel_id join organizations o on o.id = c.organization_id
         where o.slug = $1 and s.probe_at is not null`,
        [tenant.org],
      );
      return rows.length === 1;
    });
    expect(paused).toBe(true);
    expect(await tenant.attempts(occurrence)).toMatchObject([
      { answer: expect.stringContaining('Look at its quality in WhatsApp Manager') },
    ]);
    expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('the template of a notification', () => {
  const eventPath = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;
  const bodyOf = (template: unknown, channel = 'wa') => ({
    name: 'Also tell',
    distribution_lists: ['Staff'],
    templates: [{ channel, template }],
  });

  it('is the same over HTTP, in revisions, in the export, in the schema and in a preview', async () => {
    const tenant = await tenantWith({ template: { template: TEMPLATE } });
    const created = await app
      .as(tenant.key)
      .post(`${eventPath(tenant)}n/`)
      .send(bodyOf(TEMPLATE));
    expect([created.status, created.body]).toMatchObject([201, { templates: [{ template: TEMPLATE, text: null }] }]);
    const { body: revisions } = await app.as(tenant.key).get(`${eventPath(tenant)}revisions/`);
    expect((revisions as { changes: { rule: object }[] }[])[0]!.changes[0]!.rule).toMatchObject({
      templates: [{ template: TEMPLATE }],
    });
    const { body: schema } = await app.as(tenant.key).get(`${eventPath(tenant)}schema/`);
    expect(schema).toMatchObject({
      properties: {
        order: { 'x-used-by': expect.arrayContaining([{ notification: 'Tell', channel: 'wa', part: 'template' }]) },
      },
    });
    const { body: preview } = await app
      .as(tenant.key)
      .post(`${eventPath(tenant)}preview/`)
      .send({ channel: 'wa', context: CONTEXT, template: NAMED });
    expect(preview).toMatchObject({
      text: 'A-17, 120',
      template: { name: 'order_paid', language: 'de', parameters: { body: { order: 'A-17', total: '120' } } },
    });
    const { text: exported } = await app.as(tenant.key).get(`/api/o/${tenant.org}/configuration/`);
    expect(exported).toContain('order_paid');
    expect(exported).toContain('orders/{{ order }}');
  });

  it.each([
    ['no object', 'order_paid', 'template'],
    ['no name', { language: 'de' }, 'template.name'],
    ['a name that Meta does not have', { name: 'Order Paid', language: 'de' }, 'template.name'],
    ['no language', { name: 'a' }, 'template.language'],
    ['a language of another form', { name: 'a', language: 'de-DE' }, 'template.language'],
    ['an unknown field', { name: 'a', language: 'de', color: 'red' }, 'template.color'],
    ['parameters that are no object', { name: 'a', language: 'de', parameters: ['a'] }, 'template.parameters'],
    ['an unknown part', { name: 'a', language: 'de', parameters: { footer: ['a'] } }, 'template.parameters.footer'],
    [
      'both kinds',
      { name: 'a', language: 'de', parameters: { header: ['a'], body: { a: 'b' } } },
      'template.parameters',
    ],
    ['a number', { name: 'a', language: 'de', parameters: { body: [1] } }, 'template.parameters.body[0]'],
    ['an empty text', { name: 'a', language: 'de', parameters: { body: { a: ' ' } } }, 'template.parameters.body.a'],
    [
      'a name of no parameter',
      { name: 'a', language: 'de', parameters: { body: { 'a.b': 'c' } } },
      'template.parameters.body',
    ],
    [
      'buttons by name',
      { name: 'a', language: 'de', parameters: { buttons: { a: 'b' } } },
      'template.parameters.buttons',
    ],
    [
      'eleven buttons',
      { name: 'a', language: 'de', parameters: { buttons: Array(11).fill('a') } },
      'template.parameters.buttons',
    ],
    [
      'two in a header',
      { name: 'a', language: 'de', parameters: { header: ['a', 'b'] } },
      'template.parameters.header',
    ],
    [
      'a text that is no template',
      { name: 'a', language: 'de', parameters: { body: ['{{'] } },
      'template.parameters.body[0]',
    ],
  ])('is refused with %s', async (_name, template, field) => {
    const tenant = await tenantWith();
    const { status, body } = await app
      .as(tenant.key)
      .post(`${eventPath(tenant)}n/`)
      .send(bodyOf(template));
    expect([status, Object.keys((body as { errors?: object }).errors ?? {})]).toEqual([400, [`templates.wa.${field}`]]);
  });

  it('is refused for a channel of another type', async () => {
    const tenant = await tenantWith();
    const { status, body } = await app
      .as(tenant.key)
      .post(`${eventPath(tenant)}n/`)
      .send(bodyOf(NAMED, 'inbox'));
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, ['templates.inbox.template']]);
  });
});

describe('the URL of the reports', () => {
  const confirm = ({ org }: Tenant, query: Record<string, string>) =>
    app.as().get(`/reports/${org}/wa?${new URLSearchParams(query).toString()}`);
  const RIGHT = {
    'hub.mode': 'subscribe',
    'hub.verify_token': META_SETTINGS.verify_token,
    'hub.challenge': '1158201444',
  };

  it('answers the challenge of Meta with the right token only', async () => {
    const tenant = await tenantWith();
    const { status, text, headers } = await confirm(tenant, RIGHT);
    expect([status, text, headers['content-type']]).toEqual([200, '1158201444', 'text/plain; charset=utf-8']);
    const wrong = [
      { ...RIGHT, 'hub.verify_token': 'another' },
      { ...RIGHT, 'hub.verify_token': '' },
      { ...RIGHT, 'hub.verify_token': 'a'.repeat(5000) },
      { ...RIGHT, 'hub.mode': 'unsubscribe' },
      { ...RIGHT, 'hub.challenge': '<script>' },
      { ...RIGHT, 'hub.challenge': '1'.repeat(201) },
      {},
    ];
    for (const query of wrong) expect((await confirm(tenant, query)).status).toBe(404);
    expect((await app.as().get(`/reports/${tenant.org}/inbox`)).status).toBe(404);
  });

  it('answers nothing for a channel without a token', async () => {
    const { verify_token: _, ...config } = META_SETTINGS;
    const tenant = await tenantWith({ config: { ...config, verify_token: undefined } });
    expect((await confirm(tenant, { ...RIGHT, 'hub.verify_token': '' })).status).toBe(404);
    expect((await confirm(tenant, { ...RIGHT, 'hub.verify_token': 'undefined' })).status).toBe(404);
  });
});

describe('reports of Meta', () => {
  const post = ({ org }: Tenant, body: string, headers: Record<string, string> = metaHeaders(body)) =>
    app.as().post(`/reports/${org}/wa`).set(headers).send(body);
  const statesOf = async (delivery: string) =>
    (
      await app.pool.query<{ state: string }>(
        'select state from delivery_reports where delivery_id = $1 order by state',
        [delivery],
      )
    ).rows.map(({ state }) => state);
  const stateOf = async ({ org, key }: Tenant, occurrence: string, delivery: string) => {
    const { body } = await app.as(key).get(`/api/o/${org}/occurrences/${occurrence}/deliveries/${delivery}/`);
    return (body as { report: string | null }).report;
  };

  async function sent(tenant: Tenant) {
    const occurrence = await tenant.trigger(CONTEXT);
    const [delivery] = await tenant.settled(occurrence);
    const reference = `${occurrence}_${delivery!.id}`;
    // Not the last message: one that another test had refused may be sent again meanwhile.
    const place = meta.shown.findIndex((message) => message.biz_opaque_callback_data === reference);
    expect(place).toBeGreaterThanOrEqual(0);
    return { occurrence, delivery: delivery!.id, reference, id: `wamid.${place + 1}` };
  }

  const FAILED = { status: 'failed', errors: [{ code: 131049, title: 'Not delivered' }] };

  it.each([
    [['delivered', 'read', 'failed'], 'seen'],
    [['read', 'failed', 'delivered'], 'seen'],
    [['failed', 'delivered'], 'delivered'],
    [['delivered', 'failed', 'sent'], 'delivered'],
    [['sent', 'failed'], 'soft_bounced'],
  ])('raise a delivery in any order: %j', async (statuses, expected) => {
    const tenant = await tenantWith();
    const { occurrence, delivery, id } = await sent(tenant);
    for (const status of statuses)
      expect((await post(tenant, statusesBody([{ id, status, ...(status === 'failed' ? FAILED : {}) }]))).status).toBe(
        200,
      );
    expect(await stateOf(tenant, occurrence, delivery)).toBe(expected);
    expect(await suppressed(tenant)).toEqual([]);
  });

  it('may be many in one body, and name a message by our reference', async () => {
    const tenant = await tenantWith();
    const [one, two] = [await sent(tenant), await sent(tenant)];
    const body = statusesBody(
      [
        { id: one.id, status: 'sent' },
        { id: one.id, status: 'delivered' },
      ],
      [{ id: 'wamid.lost', ...FAILED, biz_opaque_callback_data: two.reference }],
    );
    expect((await post(tenant, body)).status).toBe(200);
    expect([await statesOf(one.delivery), await statesOf(two.delivery)]).toEqual([['delivered'], ['soft_bounced']]);
  });

  it('change nothing if they are forged, foreign, too large, or come again', async () => {
    const [ours, theirs] = [
      await tenantWith(),
      await tenantWith({ config: { app_secret: 'the-secret-of-another-app' } }),
    ];
    const { delivery, id } = await sent(ours);
    const body = statusesBody([{ id, status: 'delivered' }]);
    const genuine = metaHeaders(body);
    const large = statusesBody([{ id, status: 'delivered', errors: [{ code: 1, title: 'x'.repeat(1_100_000) }] }]);
    const answers = [
      await post(ours, body, { 'content-type': 'application/json' }),
      await post(ours, body.replace('delivered', 'read'), genuine),
      await post(ours, body, {
        ...genuine,
        'x-hub-signature-256': genuine['x-hub-signature-256'].replace('sha256=', ''),
      }),
      await post(ours, body, metaHeaders(body, 'the-secret-of-another-app')),
      await post(ours, large),
      // Genuine, but about a message that went over another channel.
      await post(theirs, body, metaHeaders(body, 'the-secret-of-another-app')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 413, 200]);
    expect(await statesOf(delivery)).toEqual([]);
    for (let n = 0; n < 3; n++) expect((await post(ours, body)).status).toBe(200);
    expect(await statesOf(delivery)).toEqual(['delivered']);
  });

  it('ignore what people write', async () => {
    const tenant = await tenantWith();
    const { delivery } = await sent(tenant);
    const message = { from: '15005550006', id: 'wamid.in', type: 'text', text: { body: 'STOP' } };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messages: [message] } }] }],
    });
    expect((await post(tenant, body)).status).toBe(200);
    expect([await statesOf(delivery), await suppressed(tenant)]).toEqual([[], []]);
  });
});
