import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { createDemo } from '../../src/operate/provisioning/demo.js';
import { root } from '../../src/platform/config/root.js';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp } from '../support/app/use.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { FakePushService } from '../support/providers/push-service.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const folder = join(root, 'examples', 'web-app');
const ANN = 'ann@example.com';
const PATIENCE_MS = 30_000;

/** Browsers get endpoints with https only. What is sent to this one goes to a server on this machine. */
const PUSH = 'https://push.test';

class PlayedPushService extends FakePushService {
  override get origin(): string {
    return PUSH;
  }
}

let app: TestApp;
let key: string;
let browser: Browser;
let push: PlayedPushService;
let shop: ChildProcess;
let shopUrl: string;
let keys: Record<string, string>;

useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  key = (await createDemo(app.app))!;
});
useBrowser((started) => (browser = started), { notifies: true });

beforeAll(async () => {
  push = await PlayedPushService.start();
  const outbound = app.app.get(Outbound);
  const post = outbound.post.bind(outbound);
  outbound.post = (url, options) => post(url.replace(PUSH, push.sink.url('')), options);
  await run('npm', ['run', '--silent', 'build', '--workspace', 'clients/inbox'], { cwd: root });
  const { stdout } = await run(process.execPath, [join(folder, 'vapid-keys.mjs')]);
  keys = Object.fromEntries([...stdout.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  const env = { ...keys, CARILLON_KEY: key, CARILLON_URL: app.url, PORT: '0' };
  shop = spawn(process.execPath, [join(folder, 'server.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  shop.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  [, shopUrl = ''] = (await until(PATIENCE_MS, () => /Open (http:\S+)\//.exec(printed)))!;
  const applied = await cli(['apply', join(folder, 'carillon.yaml')], { DATABASE_URL: app.databaseUrl, ...keys });
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const { status } = await app
    .as(key)
    .patch('/api/o/demo/settings/')
    .send({ origins: [shopUrl] });
  expect(status).toBe(200);
});
afterAll(async () => {
  shop?.kill();
  if (shop?.exitCode === null) await once(shop, 'exit');
  await push?.close();
});

/** What the push service of the browser's maker would do: Chromium cannot reach one here. The page keeps its subscription. */
const playSubscriptions = (given: object) => `
  const given = ${JSON.stringify(given)};
  const played = () => localStorage.getItem('played');
  const unsubscribe = () => Promise.resolve(localStorage.removeItem('played'));
  const subscription = { ...given, toJSON: () => given, unsubscribe };
  PushManager.prototype.getSubscription = () => Promise.resolve(played() ? subscription : null);
  PushManager.prototype.subscribe = ({ applicationServerKey }) => {
    localStorage.setItem('played', applicationServerKey);
    return Promise.resolve(subscription);
  };`;

interface Registration {
  registrationId: string;
  scopeURL: string;
}

/** Gives the service worker what its push service has decrypted. */
async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const found: Registration[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => found.push(...registrations));
  await session.send('ServiceWorker.enable');
  const { registrationId } = await until(PATIENCE_MS, () => found.find(({ scopeURL }) => scopeURL === `${shopUrl}/`));
  await session.send('ServiceWorker.deliverPushMessage', { origin: shopUrl, registrationId, data });
  await session.detach();
}

/** Runs in the service worker. */
const inWorker = <T>(context: BrowserContext, code: string) => context.serviceWorkers()[0]!.evaluate<T>(code);

const notifications = (context: BrowserContext) =>
  inWorker<{ title: string; body: string; tag: string; actions: string[] }[]>(
    context,
    `registration.getNotifications().then((all) =>
      all.map(({ title, body, tag, actions }) => ({ title, body, tag, actions: actions.map((each) => each.title) })))`,
  );

const devices = async () => {
  const { body } = await app.as(key).get(`/api/o/demo/u/${ANN}/devices/`);
  return body as { app: string; device: string; platform: string; address_kind: string }[];
};

const ship = async (order: string, more: object = {}) => {
  const { status, body } = await app
    .as(key)
    .post('/api/o/demo/p/shop/a/web/e/order-shipped/trigger/')
    .send({ context: { order, arrives: 'Friday', ...more }, options: { recipients: [ANN] } });
  expect(status).toBe(201);
  return (body as { occurrence: string }).occurrence;
};

it('a browser registers itself, gets a push message and shows it, and leaves', async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.grantPermissions(['notifications'], { origin: shopUrl });
  await context.addInitScript({ content: playSubscriptions(push.subscribe(keys.VAPID_PUBLIC_KEY!)) });
  const page = await context.newPage();
  const complaints = complaintsOf(page, shopUrl);
  await page.goto(`${shopUrl}/`);
  await page.getByText('This browser gets no notifications.').waitFor();
  expect(await devices()).toEqual([]);

  await page.getByRole('button', { name: 'Notify me on this device' }).click();
  await page.getByText('This browser gets notifications.').waitFor();
  expect(await page.evaluate(`localStorage.getItem('played')`)).toBe(keys.VAPID_PUBLIC_KEY);
  const [device] = await devices();
  expect(device).toMatchObject({ app: 'web-shop', platform: 'web', address_kind: 'webpush' });

  const picture = 'https://shop.test/parcel.png';
  const occurrence = await ship('A-17', { parcel: '9', picture });
  await page.getByRole('button', { name: 'Notifications, 2 new' }).click(); // with the message of the demo
  await page.getByText('Order A-17 is on its way', { exact: true }).waitFor();
  await until(PATIENCE_MS, () => push.shown.length === 1);
  expect(push.shown[0]!.payload).toMatchObject({ url: '/orders/A-17', image: picture, unread: 2 });
  expect(push.requests[0]!.headers).toMatchObject({ urgency: 'normal', 'content-encoding': 'aes128gcm' });

  await deliver(context, page, JSON.stringify(push.shown[0]!.payload));
  const shown = {
    title: 'Order A-17 is on its way',
    body: 'It arrives on Friday.',
    tag: occurrence,
    actions: ['Track it'],
  };
  await until(PATIENCE_MS, async () => (await notifications(context)).length > 0);
  expect(await notifications(context)).toEqual([shown]);
  const targets = `registration.getNotifications().then(([given]) => ['', '0'].map((action) => targetOf(given, action)))`;
  expect(await inWorker(context, targets)).toEqual([`${shopUrl}/orders/A-17`, 'https://parcels.example/9']);
  await deliver(context, page, JSON.stringify(push.shown[0]!.payload)); // a message may arrive twice
  await page.reload();
  await page.getByText('This browser gets notifications.').waitFor();
  expect(await notifications(context)).toEqual([shown]);
  expect(await devices()).toMatchObject([{ device: device!.device }]); // the same after a reload

  await page.getByRole('button', { name: 'Stop notifications here' }).click();
  await page.getByText('This browser gets no notifications.').waitFor();
  expect(await devices()).toEqual([]);
  await ship('A-18');
  await page.getByRole('button', { name: /^Notifications/ }).waitFor();
  expect(push.shown).toHaveLength(1);
  expect(complaints.filter((line) => !line.startsWith(`request to ${app.url}/`))).toEqual([]);
  await context.close();
});

it('a newer message of a thread takes the place of the one before', async () => {
  const context = await browser.newContext();
  await context.grantPermissions(['notifications'], { origin: shopUrl });
  const page = await context.newPage();
  await page.goto(`${shopUrl}/`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  const about = (occurrence: string) => ({ body: '', data: { occurrence, event: 'order-shipped' } });
  for (const message of [
    { title: 'On its way', tag: 'thread-1', ...about('o1') },
    { title: 'Another order', tag: 'thread-2', ...about('o2') },
    { title: 'Here', tag: 'thread-1', ...about('o3') },
  ])
    await deliver(context, page, JSON.stringify(message));
  const titles = async () => (await notifications(context)).map(({ title }) => title).sort();
  await until(PATIENCE_MS, async () => (await titles()).includes('Here'));
  expect(await titles()).toEqual(['Another order', 'Here']);
  await context.close();
});

it('a notification has the picture and the buttons of its message, and opens http and https only', async () => {
  const context = await browser.newContext();
  await context.grantPermissions(['notifications'], { origin: shopUrl });
  const page = await context.newPage();
  await page.goto(`${shopUrl}/`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  const actions = [
    { label: 'Track', url: 'https://parcels.test/9' },
    { label: 'Trick', url: 'javascript:alert(1)' },
  ];
  const rich = { title: 'Sent', body: '', url: '/orders/A-17', image: 'https://acme.test/a.png', actions };
  await deliver(context, page, JSON.stringify({ ...rich, data: { occurrence: 'o1', event: 'order-shipped' } }));
  await until(PATIENCE_MS, async () => (await notifications(context)).length === 1);
  expect(await notifications(context)).toMatchObject([{ title: 'Sent', tag: 'o1', actions: ['Track', 'Trick'] }]);
  const targets = `registration.getNotifications().then(([given]) => ['', '0', '1'].map((action) => targetOf(given, action)))`;
  expect(await inWorker(context, targets)).toEqual([`${shopUrl}/orders/A-17`, 'https://parcels.test/9', shopUrl]);
  await page.goto(`${shopUrl}/orders/A-17`);
  await page.getByRole('heading', { name: 'Your orders' }).waitFor();
  await context.close();
});
