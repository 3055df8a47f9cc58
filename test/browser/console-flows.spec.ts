import { expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, useHistory, violationsOf } from '../support/console.js';
import { until } from '../support/until.js';

const EVENT = '/api/o/demo/p/shop/a/web/e/reminder/';
const PEOPLE = 30;

let app: TestApp;
let key: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  const { id } = await call('post', '/api/o/demo/p/shop/d/', { name: 'Readers' });
  const names = Array.from({ length: PEOPLE }, (_, i) => `reader${i}@example.com`);
  await call('post', `/api/o/demo/p/shop/d/${String(id)}/add/`, names);
  // One message a second: there is time to stop them.
  await call('post', '/api/o/demo/c/', { slug: 'slow', name: 'Slow', type: 'inbox', config: { rate: 1 } });
  await call('post', '/api/o/demo/p/shop/a/web/e/', { slug: 'reminder', name: 'Reminder' });
  const templates = [{ channel: 'slow', text: 'Hello {{ user.first_name }}' }];
  await call('post', `${EVENT}n/`, { name: 'Remind', distribution_lists: ['Readers'], templates });
});
useHistory(() => app);
useBrowser((started) => (browser = started));

async function call(method: 'get' | 'post' | 'patch', path: string, body?: object) {
  const { status, body: answer } = await app.as(key)[method](path).send(body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer as Record<string, unknown>;
}

/** Triggers an event, and waits until the occurrence has a status. */
async function trigger(event: string, status: string, context = {}): Promise<string> {
  const answer = await call('post', `/api/o/demo/p/shop/a/web/e/${event}/trigger/`, { context });
  const occurrence = String(answer.occurrence);
  const path = `/api/o/demo/occurrences/${occurrence}/`;
  await until(20_000, async () => (await call('get', path)).status === status);
  return occurrence;
}

/** Counts what a person does with mouse and keyboard. */
class Hands {
  clicks = 0;
  keys = 0;

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async press(...keys: string[]): Promise<void> {
    this.keys += keys.length;
    for (const key of keys) await this.page.keyboard.press(key);
  }
}

it('why did Ann not get it? Ctrl-K, her name, one click', async () => {
  await call('patch', '/api/o/demo/u/ann@example.com/', { locked: true });
  await trigger('order-paid', 'expanded', { order: 'A-18', total: 10 });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  const hands = new Hands(page);
  await hands.press('Control+k', 'a', 'n', 'n');
  await page.getByRole('option', { name: /Ann Lee/ }).waitFor();
  await hands.press('Enter');
  await hands.click(page.getByRole('link', { name: 'Tell the staff' }).first());
  const why = page.getByRole('region', { name: /Why did/ });
  await why.getByRole('status').getByText('because the user was locked').waitFor();
  expect(hands).toMatchObject({ clicks: 1, keys: 5 });
  const decided = why.locator('[aria-current="step"]').first();
  expect(await decided.innerText()).toContain('May and can the user be reached?');
  const setting = why.getByRole('link', { name: 'the user' }).first();
  expect(await setting.getAttribute('href')).toMatch(/people\/ann(@|%40)example\.com$/);
  // The same question on the page itself: the beginning of a name is enough.
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('bob');
  await why.getByRole('button', { name: /Bob Ray/ }).waitFor();
  await page.keyboard.press('Enter');
  await why.getByRole('status').getByText('the user is not in "Staff"').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('stop: two clicks cancel the occurrence one looks at, and the number falls; a broken stream comes back', async () => {
  const id = await trigger('reminder', 'expanded');
  const { page, complaints } = await signIn(browser, app, key);
  await page.route('**/stream/', (route) => route.abort());
  await open(page, app, `o/demo/occurrences/${id}`);
  await page.getByText('Connection lost').waitFor();
  await page.unroute('**/stream/');
  await page.getByText('Live', { exact: true }).waitFor();
  const hands = new Hands(page);
  await hands.click(page.getByRole('button', { name: /^Stop/ }));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('messages wait').waitFor();
  await hands.click(dialog.getByRole('button', { name: 'Cancel the occurrence' }));
  await dialog.getByText('Nothing waits any more').waitFor();
  expect(hands).toMatchObject({ clicks: 2, keys: 0 });
  const { counts } = await call('get', `/api/o/demo/occurrences/${id}/`);
  expect(counts).toMatchObject({ total: PEOPLE, pending: 0 });
  await page.keyboard.press('Escape');
  await page.getByText('canceled', { exact: true }).first().waitFor();
  // The browser says that it could not load the stream, as it should.
  expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([]);
  await page.context().close();
});

it('acknowledge for Ann: the beginning of her name, and the steps end', async () => {
  await call('post', '/api/o/demo/p/shop/a/web/e/', { slug: 'disk', name: 'Disk full' });
  await call('post', '/api/o/demo/p/shop/a/web/e/disk/n/', {
    ...{ name: 'Somebody look', distribution_lists: ['Staff'] },
    steps: [{ channels: ['inbox'] }, { after: '10m', unless: 'acknowledged', channels: ['slow'] }],
    templates: ['inbox', 'slow'].map((channel) => ({ channel, text: 'Look' })),
  });
  const id = await trigger('disk', 'expanded');
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, `o/demo/occurrences/${id}`);
  const card = page.getByRole('region', { name: 'Acknowledged' });
  await card.getByText('Nobody has acknowledged it.').waitFor();
  await card.getByRole('button', { name: 'Acknowledge for' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User').fill('ann');
  await dialog.getByRole('button', { name: /Ann Lee/ }).click();
  await dialog.getByLabel('Note').fill('On my way');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/acknowledge-for.png` });
  await dialog.getByRole('button', { name: 'Acknowledge for ann@example.com' }).click();
  await card.getByText('ann@example.com').waitFor();
  await card.getByText('On my way').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('Now shows what sends right now, and stop offers it', async () => {
  const id = await trigger('reminder', 'expanded');
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  expect(await page.getByText('All is well').count()).toBe(0);
  const row = page.getByRole('region', { name: 'Sending now' }).getByRole('listitem').filter({ hasText: 'reminder' });
  await row.getByText(/\d+ sent, \d+ left/).waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toContain(id);
  await page
    .getByRole('region', { name: 'What waits, and why' })
    .getByText(/\d+ messages wait/)
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/now-sending.png`, fullPage: true });
  await row.getByRole('button', { name: 'Stop Reminder …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel the occurrence' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('x');
  await dialog.getByLabel(/^Reminder, triggered at .*: \d+ messages wait$/).waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/stop-now.png` });
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS) {
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/now-sending-phone.png`, fullPage: true });
    await page.keyboard.press('x');
  }
  await dialog.getByRole('button', { name: 'Cancel the occurrence' }).click();
  await dialog.getByText('Nothing waits any more').waitFor();
  expect(await call('get', `/api/o/demo/occurrences/${id}/`)).toMatchObject({ status: 'canceled' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  // Without anything that sends, one chooses.
  await page.keyboard.press('x');
  await dialog.getByLabel('What to stop').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('stop on a phone, with two keys: an event is switched off, and on again', async () => {
  const id = await trigger('reminder', 'expanded');
  const { page, complaints } = await signIn(browser, app, key, { viewport: PHONE });
  await open(page, app, 'o/demo/events/shop/web/reminder');
  const hands = new Hands(page);
  const dialog = page.getByRole('dialog');
  await hands.press('x');
  await dialog.getByText('messages wait').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await hands.press('Enter');
  await dialog.getByText('Nothing was sent in the last').waitFor();
  expect(hands).toMatchObject({ clicks: 0, keys: 2 });
  expect(await call('get', EVENT)).toMatchObject({ enabled: false });
  const { counts } = await call('get', `/api/o/demo/occurrences/${id}/`);
  expect((counts as { pending: number }).pending).toBeGreaterThan(0);
  expect(await isWiderThanWindow(page)).toBe(false);
  await dialog.getByRole('button', { name: 'Switch it on again' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Sending resumes within').waitFor();
  expect(await call('get', EVENT)).toMatchObject({ enabled: true });
  expect(complaints).toEqual([]);
  await call('post', `/api/o/demo/occurrences/${id}/cancel/`);
  await page.context().close();
});

it('Now leads to what waits for a person; a held occurrence is approved; a delivery shows its attempts', async () => {
  await call('patch', EVENT, { max_recipients: 5 });
  const id = await trigger('reminder', 'held');
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await page.getByText('occurrence waits for approval').waitFor();
  await page.getByText('delivery was given up').waitFor();
  await page.getByText(/triggers? in the last 60 minutes/).waitFor();
  await page.locator('.chart canvas').waitFor();
  await page.getByRole('link', { name: 'Look at them' }).click();
  await page.waitForURL(/status=held/);
  await settled(page);
  await page.locator('tbody').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Approve …' }).click();
  await page.getByRole('button', { name: 'Approve and send' }).click();
  await page.getByText('Approved. It resumes now.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await call('post', `/api/o/demo/occurrences/${id}/cancel/`);
  await open(page, app, 'o/demo/occurrences');
  await page.keyboard.press('/');
  await page.keyboard.type('A-16');
  await page.waitForURL(/context=A-16/);
  await page.locator(`a[href$="${DEMO_OCCURRENCE}"]`).first().click();
  await page.getByRole('button', { name: 'Given up' }).click();
  await page.getByRole('button', { name: '1 attempt' }).click();
  await page.getByRole('dialog').getByText('127.0.0.1 is not allowed').first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a session of one project is told kindly that Now is of the whole organization', async () => {
  const { page, complaints } = await signIn(browser, app, await app.key({ org: 'demo', project: 'shop' }));
  await open(page, app, 'o/demo');
  await page.getByText('You see a part of this organization').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
