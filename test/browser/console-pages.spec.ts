import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { englishOn } from '../support/console-language.js';
import { DESKTOP, PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  // A row of keys that is as wide as rows are.
  const expires_at = new Date(Date.now() + 86_400_000 * 30).toISOString();
  const about = { name: 'Night job of a colleague', project: 'shop', application: 'web', expires_at };
  const body = {
    ...about,
    permissions: ['distributionlist:read', 'notification:write', 'occurrence:write', 'user:read'],
  };
  const { body: made } = await app.as(key).post('/api/o/demo/k/').send(body).expect(201);
  await app.as(key).put('/api/o/demo/members/bob@example.com/').send({ name: 'Bob Ray', role: 'editor' }).expect(200);
  await app
    .as((made as { key: string }).key)
    .get('/api/o/demo/u/')
    .expect(200);
});
useBrowser((started) => (browser = started));

const PAGES = {
  now: 'o/demo',
  occurrences: 'o/demo/occurrences',
  occurrence: `o/demo/occurrences/${DEMO_OCCURRENCE}?user=bob@example.com`,
  figures: 'o/demo/figures',
  people: 'o/demo/people',
  person: 'o/demo/people/ann@example.com',
  events: 'o/demo/events',
  event: 'o/demo/events/shop/web/order-paid',
  rule: 'o/demo/events/shop/web/order-paid?rule=1',
  channels: 'o/demo/channels',
  channel: 'o/demo/channels/-/mail',
  lists: 'o/demo/lists',
  categories: 'o/demo/categories',
  layouts: 'o/demo/layouts',
  layout: 'o/demo/layouts/-/layout/default',
  brand: 'o/demo/brand',
  settings: 'o/demo/settings',
  suppressions: 'o/demo/suppressions',
  audit: 'o/demo/audit',
  members: 'o/demo/members',
  keys: 'o/demo/keys',
};

// `SCREENSHOTS=docs/images npm run test:browser -- console-pages` makes the pictures of the documentation.
const { SCREENSHOTS } = process.env;

/** A small desktop, and a desktop at 200 %. */
const NARROW = [1024, 720];
const SIZES = { desktop: DESKTOP, phone: PHONE };
// CI looks at two of the four, to save a minute: the colours do not depend on the width.
const BASIC = [
  ['light', 'desktop'],
  ['dark', 'phone'],
] as const;
const OTHERS = [
  ['light', 'phone'],
  ['dark', 'desktop'],
] as const;
const LOOKS = process.env.BASIC_ONLY === '1' ? BASIC : [...BASIC, ...OTHERS];

it.each(Object.entries(PAGES))(
  'the page %s is sound in light and dark, on a desktop and on a phone',
  async (name, path) => {
    const { page, complaints } = await signIn(browser, app, key);
    await open(page, app, path);
    const found: string[] = [];
    for (const [colorScheme, size] of LOOKS) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme });
      found.push(...(await violationsOf(page)).map((violation) => `${colorScheme}, ${size}: ${violation}`));
      if (await isWiderThanWindow(page)) found.push(`${size}: wider than the window`);
      if (!SCREENSHOTS) continue;
      mkdirSync(SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size}-${colorScheme}.png`) });
    }
    for (const width of NARROW) {
      await page.setViewportSize({ width, height: 768 });
      if (await isWiderThanWindow(page)) found.push(`${width}: wider than the window`);
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`) });
    }
    expect([...found, ...complaints]).toEqual([]);
    await page.context().close();
  },
);

it.each(Object.entries(PAGES))('the page %s is in German for a German browser', async (name, path) => {
  const { page, complaints } = await signIn(browser, app, key, { locale: 'de-DE' });
  await open(page, app, path);
  const found = await englishOn(page);
  if ((await page.locator('html').getAttribute('lang')) !== 'de') found.push('is not marked as German');
  found.push(...(await violationsOf(page)));
  for (const width of [PHONE.width, ...NARROW]) {
    await page.setViewportSize({ width, height: 844 });
    if (await isWiderThanWindow(page)) found.push(`${width}: wider than the window`);
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-german.png`) });
  }
  expect([...found, ...complaints]).toEqual([]);
  await page.context().close();
});

it('the reader chooses the language, and the next visit keeps it', async () => {
  const { page, complaints } = await signIn(browser, app, key, { locale: 'de-DE' });
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  await open(page, app, 'o/demo/people');
  expect(files.filter((file) => /\/en-[^/]+\.js$/.test(file))).toEqual([]);
  await page.getByLabel('Sprache', { exact: true }).selectOption('English');
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  await open(page, app, 'o/demo/occurrences');
  await page.getByRole('heading', { name: 'Occurrences', exact: true }).waitFor();
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Auslösungen', exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
