import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { EventStreams } from '../../src/platform/http/stream/event-stream.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { png } from '../support/image.js';
import { CuttableProxy } from '../support/sinks/cuttable-proxy.js';
import { until } from '../support/until.js';
import { fillInbox } from '../support/world/inbox.js';
import { InboxPage } from '../support/world/inbox-page.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Limits for tests that fail. */
const PATIENCE_MS = 30_000;
/** With a user interface in ten languages. The smallest client of others without one has four times as much. */
const MAX_BYTES = 16 * 1024;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: TestApp;
let proxy: CuttableProxy;
let shop: InboxPage;
let browser: Browser;
useApp({ ROLE: 'all' }, (started) => (app = started));
useBrowser((started) => (browser = started));
beforeAll(async () => {
  [proxy, shop] = await Promise.all([CuttableProxy.start(app.url), InboxPage.start()]);
});
afterEach(() => proxy.restore());
afterAll(() => Promise.all([proxy?.close(), shop?.close()]));

interface Message {
  subject: string;
  text?: string;
  html?: string;
  url?: string;
  image?: string;
  label1?: string;
  label2?: string;
}

/** Ann of a new organization, and her browser. */
class Ann {
  readonly complaints: string[] = [];

  private constructor(
    private readonly tenant: Tenant,
    private readonly context: BrowserContext,
  ) {}

  static async meet(options: BrowserContextOptions = {}, steps?: NotificationEntry['steps']): Promise<Ann> {
    const template = {
      ...{ channel: 'app', subject: '{{ subject }}', text: '{{ text }}', html: '{{ html | raw }}' },
      ...{ url: '{{ url }}', image: '{{ image }}' },
      actions: [1, 2].map((n) => ({ label: `{{ label${n} }}`, url: `/done/{{ label${n} }}` })),
    };
    const tenant = await Tenant.create(app, {
      channels: [inbox('app'), webhook('hook', 'http://127.0.0.1:9/')],
      users: [{ email: ANN }, { email: BOB }],
      lists: [{ name: 'Staff', members: [ANN] }],
      notifications: [
        {
          ...{ name: 'Tell', distribution_list: 'Staff', steps },
          templates: [template, ...(steps ? [{ channel: 'hook', text: 'Look' }] : [])],
        },
      ],
    });
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const ann = new Ann(tenant, context);
    await ann.set({ origins: [shop.origin] });
    await context.exposeFunction('giveToken', () => ann.token());
    return ann;
  }

  get org(): string {
    return this.tenant.org;
  }

  get name(): string {
    return `The ${this.org}`;
  }

  /** Changes settings of the organization. */
  async set(settings: object): Promise<void> {
    const { status } = await app.as(this.tenant.key).patch(`/api/o/${this.org}/settings/`).send(settings);
    expect(status).toBe(200);
  }

  async token(): Promise<string> {
    const { body } = await app.as(this.tenant.key).post(`/api/o/${this.org}/u/${ANN}/token/`).send({});
    return (body as { token: string }).token;
  }

  /** A new tab, whose page breaks no rule and reports no error. */
  async open(query: Record<string, string> = {}, path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (line) => {
      // Chromium reports every connection that is cut or refused.
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource: net::'))
        this.complaints.push(`console: ${line.text()}`);
    });
    const all = new URLSearchParams({ url: proxy.url, organization: this.org, username: ANN, ...query });
    await page.goto(`${shop.origin}${path}?${all}`);
    return page;
  }

  async get({ text = '', html = '', ...message }: Message): Promise<void> {
    await this.tenant.triggerAndSettle({ text, html, ...message });
  }

  /** Messages that come from now on have this category. */
  async categorize(name: string): Promise<void> {
    const path = `/api/o/${this.org}/p/shop/`;
    const slug = name.toLowerCase();
    await app.as(this.tenant.key).post(`${path}categories/`).send({ slug, name });
    const { status } = await app.as(this.tenant.key).patch(`${path}a/web/e/order-paid/`).send({ category: slug });
    expect(status).toBe(200);
  }

  /** Bob takes care of the newest occurrence. */
  async acknowledgeAsBob(): Promise<void> {
    const { body } = await app.as(this.tenant.key).get(`/api/o/${this.org}/u/${ANN}/inbox/`).expect(200);
    const path = `/api/o/${this.org}/occurrences/${(body as { occurrence: string }[])[0]!.occurrence}/acknowledge/`;
    await app.as(this.tenant.key).post(path).send({ user: BOB }).expect(200);
  }

  fill(count: number): Promise<number[]> {
    return fillInbox(app.pool, ANN, count, this.org);
  }

  offline(isOffline: boolean): Promise<void> {
    return this.context.setOffline(isOffline);
  }

  async leave(): Promise<void> {
    await this.context.close();
    expect(this.complaints).toEqual([]);
  }
}

const bell = (page: Page, name: string | RegExp = /^Notifications/) => page.getByRole('button', { name, exact: true });
const subjects = (page: Page) => page.locator('[part=subject]').allInnerTexts();
const news = (page: Page) => page.evaluate<string[]>('window.news');
const streams = () => app.app.get(EventStreams).size;
const shows = (page: Page, expected: string[]) =>
  until(
    PATIENCE_MS,
    async () => (await subjects(page)).join() === expected.join(),
    () => `the messages ${expected.join()}`,
  );

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

it('is small', () => {
  expect(gzipSync(shop.bundle, { level: 9 }).length).toBeLessThan(MAX_BYTES);
});

it('tabs share one stream and its counts, and the next tab takes over', async () => {
  const ann = await Ann.meet();
  const before = streams();
  const first = await ann.open({ badge: 'unread' });
  await until(PATIENCE_MS, () => streams() === before + 1);
  const second = await ann.open({ badge: 'unread' });
  await ann.get({ subject: 'One' });
  await ann.get({ subject: 'Two' });
  for (const tab of [first, second]) await bell(tab, 'Notifications, 2 unread').waitFor();
  expect(streams()).toBe(before + 1);

  await bell(second).click();
  await shows(second, ['Two', 'One']);
  await second.getByRole('button', { name: 'Mark all as read' }).click();
  for (const tab of [first, second]) await bell(tab, 'Notifications').waitFor();

  await first.close();
  await ann.get({ subject: 'Three' });
  await bell(second, 'Notifications, 1 unread').waitFor();
  await shows(second, ['Three', 'Two', 'One']);
  expect([streams(), await news(second)]).toEqual([before + 1, ['One', 'Two', 'Three']]);
  await ann.leave();
});

it('a lost connection leaves no gap and no duplicate', async () => {
  const ann = await Ann.meet();
  const before = streams();
  const page = await ann.open();
  await until(PATIENCE_MS, () => streams() === before + 1);
  await ann.get({ subject: 'Before' });
  await bell(page, 'Notifications, 1 new').click();
  await shows(page, ['Before']);
  await bell(page, 'Notifications').waitFor(); // seen

  proxy.cut();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  const lost = ['Lost 1', 'Lost 2', 'Lost 3'];
  for (const subject of lost) await ann.get({ subject });
  proxy.restore();
  await page.evaluate(`dispatchEvent(new Event('online'))`); // otherwise the page may wait for some seconds more
  await shows(page, ['Lost 3', 'Lost 2', 'Lost 1', 'Before']);
  await until(PATIENCE_MS, async () => (await news(page)).length === 4);

  await ann.offline(true);
  await page.getByText('You are offline.').waitFor();
  await ann.get({ subject: 'Away' });
  await ann.offline(false);
  await shows(page, ['Away', 'Lost 3', 'Lost 2', 'Lost 1', 'Before']);
  expect(await news(page)).toEqual(['Before', ...lost, 'Away']);
  await ann.leave();
});

it('the markup of a message runs nothing, goes nowhere and changes no style', async () => {
  const ann = await Ann.meet();
  const script = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">';
  const style = '<style>* { color: rgb(1, 2, 3) !important; }</style>';
  const form = `<form action="${shop.origin}/stolen"><button autofocus>Log in</button></form>`;
  const trick = '<a href="java\nscript:window.hacked=1">Go</a><a href="https://shop.test/">Go</a>';
  await ann.get({ subject: `Safe ${script}`, text: `${script}${style}${form}`, html: script + style + form + trick });
  await ann.get({ subject: 'Linked', html: '<a class="x" href="/orders/17?a=1&amp;b=2">Order</a>' });
  const page = await ann.open();
  await bell(page).click();
  await shows(page, ['Linked', `Safe ${script}`]);
  const item = page.locator('[part~=item]').last();
  expect(await item.locator('[part=text]').innerText()).toContain(form);
  await item.locator('[part=message]').click();
  await item.locator('[part=message][aria-expanded=true]').waitFor();
  expect(await page.locator('carillon-inbox').locator('script, img, style, form, input').count()).toBe(0);
  const color = await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`);
  expect([page.url().startsWith(`${shop.origin}/?`), await page.evaluate('window.hacked'), color]).toEqual([
    true,
    undefined,
    'rgb(0, 0, 0)',
  ]);

  const canceling = await ann.open({ cancel: '' });
  await bell(canceling).click();
  await canceling.getByText('Linked').click();
  await until(PATIENCE_MS, async () => (await canceling.evaluate<string[]>('window.clicked')).join() === 'Linked');
  expect(canceling.url()).toContain('cancel');
  await page.getByText('Linked').click();
  await page.waitForURL(`${shop.origin}/orders/17?a=1&b=2`);
  await ann.leave();
});

it.each([
  ['light', 'a desktop', {}],
  ['dark', 'a phone', PHONE],
] as const)('is used with the keyboard and by a screen reader, %s, on %s', async (colorScheme, _device, size) => {
  const ann = await Ann.meet({ colorScheme, ...size });
  await ann.fill(22);
  const page = await ann.open();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await until(PATIENCE_MS, async () => (await subjects(page)).length === 20);
  await ann.get({ subject: 'Newest', text: 'Line\n'.repeat(8) });
  await page.getByRole('status').getByText('New message: Newest').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowDown');
  expect(await focusedText(page)).toContain('Newest');
  await page.keyboard.press('Enter');
  await page.locator('[part~=item]:not([part~=unread])').getByText('Newest').waitFor();
  await expectAccessible(page);
  await look(page, `inbox-${colorScheme}`);
  await page.keyboard.press('Delete');
  await page.getByText('Newest', { exact: true }).waitFor({ state: 'detached' });
  expect(await focusedText(page)).toContain('Subject');
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toContain('Snooze: Subject');
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toContain('Archive: Subject');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space'); // older messages
  await until(PATIENCE_MS, async () => (await subjects(page)).length === 22);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  const width = await page.locator('html').evaluate((element) => element.scrollWidth);
  expect(width).toBeLessThanOrEqual(size === PHONE ? 390 : 1280);
  await page.keyboard.press('Escape');
  expect(await focusedText(page)).toBe('Notifications');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await expectAccessible(page);
  await ann.leave();
});

const PIXEL = `data:image/png;base64,${png(320, 120).toString('base64')}`;
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const LONG =
  'The parcel with your order of three cups, a pot and a very long list of other things has left us. '.repeat(3);

it.each([
  ['a desktop', 'en', { ...DESKTOP }],
  ['a phone in the dark', 'en', { ...PHONE, colorScheme: 'dark' }],
  ['a desktop from right to left', 'ar', { ...DESKTOP }],
  ['a phone from right to left', 'ar', { ...PHONE }],
] as const)('has buttons, pictures, tabs, snooze and an archive, on %s', async (name, lang, options) => {
  const ann = await Ann.meet(options);
  const words = { en: EN, ar: AR }[lang];
  await ann.get({ subject: 'Plain', text: 'Without a category' });
  await ann.categorize('Orders');
  await ann.get({
    ...{ subject: LONG, text: 'It arrives on Monday.', url: '/orders/17', image: 'https://acme.test/parcel.png' },
    ...{ label1: 'Track', label2: 'Help' },
  });
  await ann.categorize('News');
  await ann.get({ subject: 'Summer', text: 'All cups are blue now.' });
  const page = await ann.open({ images: '' });
  await page.route('https://acme.test/*', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(PIXEL.split(',')[1]!, 'base64') }),
  );
  if (lang === 'ar') await page.evaluate(`Object.assign(document.documentElement, { dir: 'rtl', lang: 'ar' })`);
  await page.evaluate(`document.querySelector('carillon-inbox').open()`);
  await shows(page, ['Summer', LONG.trim(), 'Plain']);
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  await expectAccessible(page);
  await look(page, `inbox-rich-${name.replaceAll(' ', '-')}`);
  const lines = await page
    .locator('[part=subject]')
    .nth(1)
    .evaluate((element) => element.clientHeight);
  expect(lines).toBeLessThan(50); // two of them

  await page.getByRole('tab', { name: 'Orders' }).click();
  await shows(page, [LONG.trim()]);
  await page.getByRole('tab', { name: words.title }).click();
  await shows(page, ['Summer', LONG.trim(), 'Plain']);

  const item = page.locator('[part~=item]').filter({ hasText: 'Summer' });
  await item.hover();
  await item.getByRole('combobox').selectOption({ index: 2 });
  await shows(page, [LONG.trim(), 'Plain']);
  await page.getByRole('tab', { name: words.snoozed }).click();
  await shows(page, ['Summer']);
  await item.hover();
  await look(page, `inbox-snoozed-${name.replaceAll(' ', '-')}`);
  await item.getByRole('button', { name: '→' }).click();
  await shows(page, []);
  await page.getByRole('tab', { name: words.title }).click();
  await shows(page, ['Summer', LONG.trim(), 'Plain']);

  await item.hover();
  await item.getByRole('button', { name: words.archive }).click();
  await page.getByRole('tab', { name: words.archived }).click();
  await shows(page, ['Summer']);
  await page.getByRole('tab', { name: words.archived }).press(lang === 'ar' ? 'ArrowRight' : 'ArrowLeft');
  await shows(page, []);
  await page.getByRole('tab', { name: words.archived }).click();
  await shows(page, ['Summer']);
  await item.hover();
  await item.getByRole('button', { name: words.remove }).click();
  await shows(page, []);

  await page.getByRole('tab', { name: words.title }).click();
  await page.getByRole('link', { name: 'Track' }).click();
  await page.waitForURL(`${shop.origin}/done/Track`);
  await page.goBack();
  await ann.leave();
});

it('acknowledges with a button, and shows in all tabs that somebody has', async () => {
  const ann = await Ann.meet({}, [{ channels: ['app'] }, { after: '10m', unless: 'acknowledged', channels: ['hook'] }]);
  await ann.get({ subject: 'Disk full', label1: 'Logs' });
  const tabs = [await ann.open(), await ann.open()];
  const buttons = tabs.map((tab) => tab.getByRole('button', { name: 'Acknowledge' }));
  for (const [i, tab] of tabs.entries()) {
    await bell(tab).click();
    await buttons[i]!.waitFor();
  }
  await expectAccessible(tabs[0]!);
  await look(tabs[0]!, 'inbox-acknowledge');
  await buttons[0]!.click();
  for (const tab of tabs) await tab.getByRole('button', { name: '✓ Acknowledge', pressed: true }).waitFor();
  await tabs[1]!.locator('[part~=item]:not([part~=unread])').getByText('Disk full').waitFor();
  await expectAccessible(tabs[0]!);
  await look(tabs[0]!, 'inbox-acknowledged');

  await ann.get({ subject: 'Disk still full' });
  const newest = tabs[0]!.locator('[part~=item]').first();
  await newest.getByRole('button', { name: 'Acknowledge', pressed: false }).waitFor();
  await ann.acknowledgeAsBob();
  await newest.getByRole('button', { name: '✓ Acknowledge', pressed: true }).waitFor();

  const plain = await Ann.meet();
  await plain.get({ subject: 'Plain' });
  const page = await plain.open();
  await bell(page).click();
  await shows(page, ['Plain']);
  expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await plain.leave();
  await ann.leave();
});

const EN = { title: 'Notifications', snoozed: 'Snoozed', archived: 'Archived', archive: 'Archive', remove: 'Delete' };
const AR = { title: 'الإشعارات', snoozed: 'مؤجلة', archived: 'مؤرشفة', archive: 'أرشفة', remove: 'حذف' };

it('says what went wrong, and tries again', async () => {
  const ann = await Ann.meet();
  const page = await ann.open({ texts: JSON.stringify({ retry: 'Encore' }).replaceAll('"', '&quot;') });
  await ann.get({ subject: 'One' });
  await bell(page, 'Notifications, 1 new').waitFor();
  proxy.cut();
  await bell(page).click();
  await page.getByRole('alert').getByText('The messages could not be loaded.').waitFor();
  await expectAccessible(page);
  proxy.restore();
  await page.getByRole('button', { name: 'Encore' }).click();
  await shows(page, ['One']);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await ann.leave();
});

const ROOT = `document.querySelector('carillon-inbox').shadowRoot`;
const LOGO = png(320, 80).toString('base64');

it.each([
  ['light', '#ffee00'],
  ['dark', '#101060'],
] as const)('shows the logo, the color and the texts of the organization, %s', async (colorScheme, color) => {
  const ann = await Ann.meet({ colorScheme });
  const page_texts = { en: { inbox_title: 'News', inbox_unseen_count: 'News, {n} new', inbox_read_all: 'Done' } };
  await ann.set({ logo: { content: LOGO }, color, page_texts });
  await ann.get({ subject: 'One' });
  const page = await ann.open({ images: '' });
  const other = await ann.open({ images: '', texts: '{&quot;title&quot;: &quot;Post&quot;}' });
  await bell(other, 'News, 1 new').waitFor(); // a tab without a stream of its own
  await bell(page, 'News, 1 new').click();
  await page.getByRole('dialog', { name: 'News' }).getByRole('button', { name: 'Done' }).waitFor();
  await page.getByRole('img', { name: ann.name }).waitFor();
  const width = await page.evaluate<number>(`${ROOT}.querySelector('img').naturalWidth`);
  expect(width).toBeGreaterThan(0);
  await expectAccessible(page); // with the contrast of the color
  await look(page, `inbox-brand-${colorScheme}`);
  await page.close();
  await bell(other).or(bell(other, 'Post')).click();
  await other.getByRole('dialog', { name: 'Post' }).getByRole('button', { name: 'Done' }).waitFor();
  await ann.leave();
});

it('shows the name where the policy of the page refuses images, and keeps the color of the page', async () => {
  const ann = await Ann.meet();
  await ann.set({ logo: { content: LOGO }, color: '#008000' });
  await ann.get({ subject: 'One' });
  const page = await ann.open();
  await bell(page).click();
  await page.getByRole('dialog').getByText(ann.name).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
  const color = () => page.evaluate<string>(`getComputedStyle(${ROOT}.querySelector('[part=read-all]')).color`);
  expect(await color()).toBe('rgb(0, 128, 0)');
  await page.evaluate(
    `document.querySelector('carillon-inbox').style.setProperty('--carillon-accent', 'rgb(1, 2, 3)')`,
  );
  expect(await color()).toBe('rgb(1, 2, 3)');
  expect(ann.complaints.splice(0)).toEqual([expect.stringContaining('logos/')]);
  await ann.leave();
});

it('is a component of React', async () => {
  const ann = await Ann.meet();
  const page = await ann.open({}, '/react');
  await ann.get({ subject: 'One' });
  await bell(page, 'Notifications, 1 new').click();
  await page.getByRole('dialog', { name: 'Post' }).getByText('One').click();
  await until(PATIENCE_MS, async () => (await page.evaluate<string[]>('window.clicked')).join() === 'One');
  await ann.leave();
});

/** What a screen reader says of the focused element, roughly. */
const focusedText = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement } = document.querySelector('carillon-inbox').shadowRoot;
    return activeElement?.ariaLabel ?? activeElement?.innerText ?? '';
  })()`);

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
