import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import webpushLibrary from 'web-push';
import type { ChannelEntry, NotificationEntry, TemplateEntry } from '../../src/operate/provisioning/file.js';
import { Database } from '../../src/platform/database/database.js';
import { TestApp } from '../support/app/app.js';
import { Statements } from '../support/app/statements.js';
import { APPLE_KEY, FakeApplePush } from '../support/providers/apple-push.js';
import { FakeFcm, SERVICE_ACCOUNT } from '../support/providers/fcm.js';
import { writePushFiles } from '../support/providers/push-files.js';
import { FakePushService } from '../support/providers/push-service.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
let fcm: FakeFcm;
let apple: FakeApplePush;
let browsers: FakePushService;
let folder: string;

beforeAll(async () => {
  [fcm, apple, browsers] = await Promise.all([FakeFcm.start(), FakeApplePush.start(), FakePushService.start()]);
  folder = mkdtempSync(join(tmpdir(), 'carillon-push-'));
  writePushFiles(folder, fcm, apple);
  app = await TestApp.start({ ROLE: 'all', PROVIDERS_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([fcm.close(), apple.close(), browsers.close()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  fcm.reset();
  browsers.reset();
  apple.shown.length = 0;
});

const ANN = 'ann@acme.test';
const vapid = webpushLibrary.generateVAPIDKeys();

type Config = Record<string, string | boolean>;

const channels = (config: Config): ChannelEntry[] => [
  inbox('inbox'),
  { slug: 'android', name: 'Android', type: 'fcm_here', config: { service_account: SERVICE_ACCOUNT, ...config } },
  {
    slug: 'iphone',
    name: 'iPhone',
    type: 'apns_here',
    config: { ...APPLE_KEY, environment: 'production', ...config },
  },
  {
    slug: 'browser',
    name: 'Browser',
    type: 'webpush',
    config: {
      public_key: vapid.publicKey,
      private_key: vapid.privateKey,
      subject: 'mailto:ops@acme.test',
      ...config,
    },
  },
];

const PUSH = ['android', 'iphone', 'browser'];

type Parts = Omit<TemplateEntry, 'channel'>;

type Options = Pick<NotificationEntry, 'name' | 'thread' | 'digest'>;

const rule = (parts: Parts, slugs: string[], options: Options = { name: 'Tell' }) => ({
  distribution_list: 'Staff',
  ...options,
  templates: slugs.map((channel) => ({ channel, subject: 'Order {{ order }}', text: 'It is paid.', ...parts })),
});

const tenantWith = (parts: Parts, config: Config = {}, slugs = PUSH, options: Options[] = [{ name: 'Tell' }]) =>
  Tenant.create(app, {
    channels: channels(config),
    users: [
      {
        email: ANN,
        addresses: [
          { name: 'fcm', value: 'c1:APA91b' },
          { name: 'apns', value: 'a1' },
          { name: 'webpush', value: JSON.stringify(browsers.subscribe(vapid.publicKey)) },
        ],
      },
    ],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: options.map((each) => rule(parts, slugs, each)),
  });

const FULL: Parts = {
  url: '/orders/{{ order }}',
  image: 'https://acme.test/{{ order }}.png',
  actions: [
    { label: 'Track', url: 'https://parcels.test/{{ order | url_encode }}' },
    { label: '{% if gift %}Wrap{% endif %}', url: '/wrap' },
  ],
  data: { order: '{{ order }}', total: 3, items: [{ sku: '{{ sku }}' }] },
};
const CONTEXT = { order: 'A-17', sku: 'c"up', gift: false };

const statuses = (deliveries: { status: string }[]) => deliveries.map(({ status }) => status).sort();

describe('a push message', () => {
  it('leads somewhere, and has a picture, a button and data, over each service as it wants them', async () => {
    const tenant = await tenantWith(FULL);
    const path = `/api/o/${tenant.org}/p/shop/`;
    await app.as(tenant.key).post(`${path}categories/`).send({ slug: 'orders', name: 'Orders' }).expect(201);
    await app.as(tenant.key).patch(`${path}a/web/e/order-paid/`).send({ category: 'orders' }).expect(200);
    const occurrence = await tenant.trigger(CONTEXT);
    expect(statuses(await tenant.settled(occurrence))).toEqual(['sent', 'sent', 'sent']);
    const [title, body, url, image] = ['Order A-17', 'It is paid.', '/orders/A-17', 'https://acme.test/A-17.png'];
    const actions = [{ label: 'Track', url: 'https://parcels.test/A-17' }];
    const about = { event: 'order-paid', occurrence };
    expect(fcm.shown).toEqual([
      {
        token: 'c1:APA91b',
        notification: { title, body, image },
        data: {
          ...{ order: 'A-17', total: '3', items: '[{"sku":"c\\"up"}]' },
          ...{ ...about, category: 'orders', url, actions: JSON.stringify(actions) },
        },
        android: { priority: 'HIGH', notification: { tag: expect.stringContaining(occurrence) } },
        apns: {
          headers: { 'apns-collapse-id': expect.stringContaining(occurrence), 'apns-priority': '10' },
          payload: { aps: { category: 'orders', 'mutable-content': 1 } },
        },
      },
    ]);
    const data = { order: 'A-17', total: 3, items: [{ sku: 'c"up' }] };
    expect(apple.shown.map(({ payload }) => payload)).toEqual([
      {
        aps: { alert: { title, body }, category: 'orders', 'mutable-content': 1 },
        ...about,
        url,
        image,
        actions,
        data,
      },
    ]);
    expect(browsers.shown.map(({ payload }) => payload)).toEqual([
      { title, body, url, image, actions, data: { ...data, ...about, category: 'orders' } },
    ]);
  });

  it('with much data keeps them whole, and loses the end of its text', async () => {
    const tenant = await tenantWith({ text: '{{ text }}', data: { big: '{{ big }}' } });
    const big = 'é'.repeat(1200);
    expect(statuses(await tenant.triggerAndSettle({ big, text: '"🛎'.repeat(1000) }))).toEqual(['sent', 'sent', 'sent']);
    const [android] = fcm.shown;
    const iphone = apple.shown[0]!.payload;
    const browser = browsers.shown[0]!.payload as { body: string; data: object };
    expect([android!.data!.big, iphone.data, browser.data]).toMatchObject([big, { big }, { big }]);
    for (const body of [android!.notification!.body!, iphone.aps.alert.body!, browser.body]) {
      expect(body).toMatch(/^("🛎)+"?…$/u);
      expect(body.length).toBeGreaterThan(100);
    }
  });

  it('with more data than a service takes is dead, and the delivery says why', async () => {
    const tenant = await tenantWith({ data: { big: '{{ big }}' } });
    const sent = await tenant.triggerAndSettle({ big: 'x'.repeat(3500) });
    expect(sent.map(({ channel, status, reason }) => [channel, status, reason])).toEqual(
      expect.arrayContaining(
        [
          ['android', 3000],
          ['browser', 3400],
          ['iphone', 3400],
        ].map(([channel, most]) => [
          channel,
          'dead',
          expect.stringContaining(`data has 3510 bytes, and the channel takes ${most}: leave some of it out`),
        ]),
      ),
    );
    expect([fcm.shown, apple.shown, browsers.shown]).toEqual([[], [], []]);
  });

  it('of a fallback has no names in its data that the other service keeps to itself', async () => {
    const tenant = await tenantWith({ data: { from: 'Ann', order: '{{ order }}' } }, {}, ['iphone']);
    await app.as(tenant.key).patch(`/api/o/${tenant.org}/c/iphone/`).send({ fallback: 'android' }).expect(200);
    apple.refusing.set('a1', { status: 400, reason: 'BadCollapseId' });
    await tenant.triggerAndSettle(CONTEXT);
    apple.refusing.clear();
    expect(fcm.shown.map(({ data }) => Object.keys(data!).sort())).toEqual([['event', 'occurrence', 'order']]);
  });
});

describe('a template for push', () => {
  const write = (tenant: Tenant, channel: string, parts: object) =>
    app
      .as(tenant.key)
      .post(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/n/`)
      .send({ name: 'Also', distribution_lists: ['Staff'], templates: [{ channel, text: 'Hi', ...parts }] });

  it.each([
    [
      'a name that FCM reserves',
      'android',
      { data: { from: 'x' } },
      'data',
      /cannot have the key from: channels of the type fcm_here use it/,
    ],
    [
      'a name that begins as one that FCM reserves',
      'android',
      { data: { google_id: 'x' } },
      'data',
      /the key google_id/,
    ],
    ['a name that the service uses', 'android', { data: { actions: 'x' } }, 'data', /the key actions/],
    [
      'the name of the occurrence',
      'browser',
      { data: { occurrence: 'x' } },
      'data',
      /the key occurrence: channels of the type webpush use it/,
    ],
    [
      'more data than FCM takes',
      'android',
      { data: { big: 'x'.repeat(3000) } },
      'data',
      /must have at most 3000 bytes as JSON/,
    ],
    [
      'more data than Apple takes',
      'iphone',
      { data: { big: 'x'.repeat(3500) } },
      'data',
      /must have at most 3400 bytes as JSON/,
    ],
    ['three buttons', 'iphone', { actions: Array(3).fill({ label: 'A', url: '/' }) }, 'actions', /at most 2/],
    ['a script as its link', 'browser', { url: 'javascript:alert(1)' }, 'url', /http or https/],
    [
      'a template of WhatsApp',
      'iphone',
      { template: { name: 'a', language: 'de' } },
      'template',
      /a channel of the type apns_here does not use it/,
    ],
  ])('cannot have %s', async (_name, channel, parts, field, sentence) => {
    const tenant = await tenantWith({});
    const { status, body } = await write(tenant, channel, parts);
    expect([status, (body as { errors: object }).errors]).toEqual([
      400,
      { [`templates.${channel}.${field}`]: [expect.stringMatching(sentence)] },
    ]);
  });

  it('is previewed and simulated with what each service would say', async () => {
    const tenant = await tenantWith(FULL);
    const post = async (path: string, body: object) =>
      (await app.as(tenant.key).post(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/${path}/`).send(body).expect(200))
        .body as object;
    const template = { channel: 'android', subject: 'x'.repeat(201), text: 'é'.repeat(2000), ...FULL };
    const shown = await post('preview', { ...template, context: CONTEXT });
    const rich = { url: '/orders/A-17', image: 'https://acme.test/A-17.png', actions: [{ label: 'Track' }] };
    expect(shown).toMatchObject({ ...rich, data: { order: 'A-17', total: 3 } });
    const { checks } = shown as { checks: { id: string }[] };
    expect(checks.map(({ id }) => id)).toEqual(['subject_cut', 'text_cut', 'title_long', 'text_long']);
    const simulated = async (sku: string) =>
      (await post('simulate', { context: { ...CONTEXT, sku } })) as {
        messages: { channel: string; problem: string }[];
      };
    expect((await simulated('cup')).messages).toMatchObject(
      PUSH.map((channel) => ({ channel, ...rich, problem: null })),
    );
    const { messages } = await simulated('x'.repeat(3200));
    expect(messages.map(({ channel, problem }) => [channel, problem])).toEqual([
      ['android', expect.stringMatching(/^data has 3\d+ bytes, and the channel takes 3000/)],
      ['iphone', null],
      ['browser', null],
    ]);
  });

  it('of a file has the same parts over HTTP', async () => {
    const tenant = await tenantWith(FULL);
    const { body: rules } = await app.as(tenant.key).get(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/n/`);
    expect(rules).toMatchObject([{ templates: PUSH.map((channel) => ({ channel, ...FULL })) }]);
  });

  it('may have data that are large only as they are written', async () => {
    const tenant = await tenantWith({});
    const condition = `{% if order %}${'{{ order }}'.repeat(300)}{% endif %}`;
    await write(tenant, 'android', { data: { big: condition, from_shop: 1 } }).expect(201);
  });
});

describe('the thread of a push message', () => {
  const thread = 'order.id';

  /** What devices know the messages by, those of each service in the order of their triggers. */
  const places = () => ({
    android: fcm.shown.map(({ android }) => android!.notification!.tag),
    androidOverApple: fcm.shown.map(({ apns }) => apns!.headers!['apns-collapse-id']),
    iphone: apple.shown.map(({ collapseId }) => collapseId),
    browser: browsers.shown.map(({ payload }) => (payload as { tag?: string }).tag),
    topic: browsers.requests.map(({ headers }) => headers.topic),
  });

  async function triggerEach(tenant: Tenant, orders: unknown[]): Promise<void> {
    for (const order of orders) await tenant.triggerAndSettle({ order });
  }

  it('makes the newest message about an order take the place of the one before, over each service', async () => {
    const tenant = await tenantWith({}, {}, PUSH, [{ name: 'Tell', thread }]);
    await triggerEach(tenant, [{ id: 'A-17' }, { id: 'A-18' }, { id: 'A-17' }]);
    for (const [first, other, newer] of Object.values(places())) {
      expect(newer).toBe(first);
      expect(other).not.toBe(first);
    }
    expect(places().topic[0]).toMatch(/^[\w-]{32}$/);
    expect(Buffer.byteLength(places().iphone[0]!)).toBeLessThanOrEqual(64);
    const groups = apple.shown.map(({ payload }) => payload.aps['thread-id']);
    expect(groups).toEqual(['A-17', 'A-18', 'A-17']);
    expect(fcm.shown.map(({ apns }) => apns!.payload!.aps['thread-id'])).toEqual(groups);
  });

  it('does not mix notifications: both are shown, in one group', async () => {
    const tenant = await tenantWith({}, {}, PUSH, [
      { name: 'Tell', thread },
      { name: 'Thank', thread },
    ]);
    await triggerEach(tenant, [{ id: 'A-17' }]);
    for (const both of Object.values(places())) expect(new Set(both).size).toBe(2);
    expect(apple.shown.map(({ payload }) => payload.aps['thread-id'])).toEqual(['A-17', 'A-17']);
  });

  it('is missing where the context does not have the field: such messages are as without a thread', async () => {
    const tenant = await tenantWith({}, {}, PUSH, [{ name: 'Tell', thread }]);
    const occurrence = await tenant.trigger({ order: {} });
    await tenant.settled(occurrence);
    const { browser, topic: _, ...others } = places();
    for (const [place] of Object.values(others)) expect(place).toMatch(new RegExp(`^${occurrence}\\.\\d+$`));
    expect(browser).toEqual([undefined]);
    expect(apple.shown[0]!.payload.aps).not.toHaveProperty('thread-id');
  });

  it('takes a long value, and one that is not a text', async () => {
    const tenant = await tenantWith({}, {}, PUSH, [{ name: 'Tell', thread: 'order' }]);
    const long = 'ü'.repeat(300);
    await triggerEach(tenant, [`${long}a`, `${long}b`, { id: [1, '\r\n"'] }]);
    expect(new Set(places().iphone).size).toBe(3);
    expect(new Set(apple.shown.map(({ payload }) => payload.aps['thread-id'])).size).toBe(3);
  });

  it('of a notification that was triggered before a change stays as it was', async () => {
    const tenant = await tenantWith({}, {}, ['iphone'], [{ name: 'Tell', thread }]);
    const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`;
    await app.as(tenant.key).patch(event).send({ enabled: false }).expect(200);
    const occurrence = await tenant.trigger({ order: { id: 'A-17' } });
    await tenant.apply({ notifications: [rule({}, ['iphone'])] });
    await app.as(tenant.key).patch(event).send({ enabled: true }).expect(200);
    await tenant.settled(occurrence);
    expect(apple.shown[0]!.payload.aps['thread-id']).toBe('A-17');
  });
});

describe('the badge of an app', () => {
  const badges = () => [
    ...fcm.shown.map(({ apns }) => apns!.payload?.aps.badge),
    ...apple.shown.map(({ payload }) => payload.aps.badge),
    ...browsers.shown.map(({ payload }) => (payload as { unread?: number }).unread),
  ];
  const forget = () => [fcm.shown, apple.shown, browsers.shown].forEach((shown) => (shown.length = 0));

  it('counts what is unread in the inbox, with the message that comes with the push message', async () => {
    const tenant = await tenantWith({}, { badge: true }, ['inbox', ...PUSH]);
    await tenant.triggerAndSettle(CONTEXT);
    expect(badges()).toEqual([1, 1, 1]);
    forget();
    await tenant.triggerAndSettle(CONTEXT);
    expect(badges()).toEqual([2, 2, 2]);
    forget();
    await tenant.apply({ notifications: [rule({}, PUSH)] });
    const path = `/api/o/${tenant.org}/u/${ANN}/inbox/`;
    await app.as(tenant.key).post(`${path}mark/`).send({ as: 'read', up_to: 2_000_000_000 }).expect(200);
    await tenant.triggerAndSettle(CONTEXT);
    expect(badges()).toEqual([0, 0, 0]);
  });

  it('costs one statement for a page of readers, and none where no channel wants it', async () => {
    const statements = new Statements(app.app.get(Database));
    const plain = await tenantWith({}, {}, ['inbox', ...PUSH]);
    statements.forget();
    await plain.triggerAndSettle(CONTEXT);
    expect(statements.names.filter((name) => name === 'count-unread')).toEqual([]);
    expect(badges()).toEqual([undefined, undefined, undefined]);
    const tenant = await tenantWith({}, { badge: true }, ['iphone']);
    statements.forget();
    await tenant.triggerAndSettle(CONTEXT);
    expect(statements.names.filter((name) => name === 'count-unread')).toHaveLength(1);
  });
});
