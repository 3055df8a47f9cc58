import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { until } from '../support/until.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf, useNoDrafts } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

const EVENT = '/api/o/demo/p/shop/a/web/e/order-paid/';
/** A folder for pictures, to look at what was built. */
const { PICTURES } = process.env;

async function call<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
  const headers = { Authorization: `Key ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

let rule: string;
beforeAll(async () => {
  const config = { host: '127.0.0.1', port: 9, from: 'Demo Shop <shop@demo.test>', reply_to: 'desk@demo.test' };
  await call('POST', '/api/o/demo/c/', { slug: 'post', name: 'Post', type: 'email', config });
  const template = {
    channel: 'post',
    subject: 'Order {{ order }} is paid',
    html: `<style>.tone::before { content: "by day" } @media (prefers-color-scheme: dark) { .tone::before { content: "by night" } }
      .size::before { content: "wide" } @media (max-width: 500px) { .size::before { content: "narrow" } }
      a { text-decoration-line: overline }</style>
      <h1>Thank you</h1><p>Your order {{ order }} is paid: {{ total }} EUR.</p>
      <p class="tone"></p><p class="size"></p><img src="https://shop.test/cup.png"><a href="http://shop.test">Open your order</a>
      <svg width="1" height="1"><a><animate attributeName="href" to="https://shop.test" /><set attributeName="href" to="https://shop.test" /></a></svg>`,
    layout: 'default',
    translations: { de: { subject: 'Bestellung {{ order }} ist bezahlt' } },
  };
  const { id } = await call<{ id: number }>('POST', `${EVENT}n/`, {
    name: 'Mail',
    to: 'recipients',
    templates: [template],
  });
  rule = `o/demo/events/shop/web/order-paid?rule=${id}`;
  const attachments = [{ filename: 'bill.pdf', content_type: 'application/pdf', content: 'SGVsbG8=' }];
  const options = { recipients: ['ann@example.com'], attachments, send_at: '2099-01-01T00:00:00Z' };
  await call('POST', `${EVENT}trigger/`, { context: { order: 'A-99', total: 12 }, options });
});

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const inFrame = (page: Page) => page.frameLocator('.preview .message-frame');
const before = async (page: Page, part: string): Promise<string> => {
  const content = `getComputedStyle(document.querySelector('${part}'), '::before').content`;
  return String(await inFrame(page).locator('body').evaluate(content)).replaceAll('"', '');
};

/** Whether the whole width of the message can be seen. */
async function isFrameInRoom(page: Page): Promise<boolean> {
  const room = await page.locator('.preview .message-room').boundingBox();
  const frame = await page.locator('.preview .message-frame').boundingBox();
  return room !== null && frame !== null && frame.x >= room.x - 1 && frame.x + frame.width <= room.x + room.width + 1;
}

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

it('the preview shows a mail as its reader sees it, for a user, a language and an earlier occurrence', async () => {
  const { page, complaints } = await signIn(browser, app, key, { viewport: { width: 1440, height: 1000 } });
  await open(page, app, rule);
  const shown = preview(page);
  await shown.getByText('Order A-99 is paid').waitFor();
  await shown.getByText('Demo Shop <shop@demo.test>').waitFor();
  await shown.getByText('sam@example.com').waitFor();
  await shown.getByText('bill.pdf').waitFor();
  await shown.getByLabel('Seen as').fill('ann@example.com');
  await shown.locator('dd').getByText('ann@example.com').waitFor();
  await shown.getByLabel('Language').fill('de-AT');
  await shown.getByText('Bestellung A-99 ist bezahlt').waitFor();
  await shown.getByText(/^.*Shown in German, because .*de-AT/).waitFor();
  const checks = shown.getByRole('region', { name: /things to look at/ });
  await checks.getByText('Use https instead of http for “http://shop.test”.').waitFor();
  expect(await checks.getByRole('listitem').first().innerText()).toMatch(/^Warning/);
  await picture(page, 'desktop-light');

  expect([await before(page, '.tone'), await before(page, '.size')]).toEqual(['by day', 'wide']);
  // The message decides how its links look, and nothing brings their addresses back.
  const line = `getComputedStyle(document.querySelector('a[title="http://shop.test"]')).textDecorationLine`;
  expect(await inFrame(page).locator('body').evaluate(line)).toBe('overline');
  expect(await inFrame(page).locator('animate, set').count()).toBe(0);
  await shown.getByRole('button', { name: 'Phone' }).click();
  await until(10_000, async () => (await before(page, '.size')) === 'narrow');
  await picture(page, 'phone-in-desktop');
  await shown.getByRole('button', { name: 'Dark' }).click();
  await page.frameLocator('.preview .message-frame').locator('html[data-scheme=dark]').waitFor();
  expect(await before(page, '.tone')).toBe('by night');
  await shown.getByRole('button', { name: 'Plain text' }).click();
  await shown.getByText('Your order A-99 is paid: 12 EUR.').waitFor();
  await shown.getByRole('button', { name: 'Source' }).click();
  await shown.getByText('<h1>Thank you</h1>').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'source');
  expect(complaints.filter((line) => !line.includes('cup.png'))).toEqual([]);
  await page.context().close();
});

it.each(['light', 'dark'] as const)('the preview is sound on a phone and on a wide screen, %s', async (colorScheme) => {
  for (const viewport of [PHONE, { width: 1440, height: 1000 }]) {
    const { page } = await signIn(browser, app, key, { viewport, colorScheme });
    await open(page, app, rule);
    await page.frameLocator('.preview .message-frame').getByText('Thank you').waitFor();
    await settled(page);
    await page.locator('.preview .message-room').scrollIntoViewIfNeeded();
    await picture(page, `${viewport.width}-${colorScheme}`);
    await preview(page).getByRole('button', { name: 'Phone' }).click();
    await until(10_000, () => isFrameInRoom(page));
    await picture(page, `${viewport.width}-${colorScheme}-phone`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await isWiderThanWindow(page)).toBe(false);
    await page.context().close();
  }
});
