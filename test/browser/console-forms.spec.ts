import { expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { DESKTOP, PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

it('a sign-in link works in the tab that shows the sign-in page', async () => {
  const page = await browser.newPage();
  await page.goto(`${app.url}/console/`);
  await page.getByLabel('API key').waitFor();
  const { stdout } = await cli(['console', '--json'], { DATABASE_URL: app.databaseUrl, PUBLIC_URL: app.url });
  const { hash } = new URL((JSON.parse(stdout) as { url: string }).url);
  await page.goto(`${app.url}/console/${hash}`);
  await page.getByLabel('API key').waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('#t=');
  await page.close();
});

it('Escape asks before it throws away what was typed in a dialog', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' }); // nothing was typed
  await page.getByRole('button', { name: 'New channel' }).click();
  await name.fill('Newsletter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await name.inputValue()).toBe('Newsletter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.close();
});

it('leaving a channel with edits asks first', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels/-/mail');
  const name = page.getByRole('form', { name: 'Settings' }).getByLabel('Name', { exact: true });
  await name.fill('Post');
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await name.inputValue()).toBe('Post');
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  await page.close();
});

it('leaving the settings of an event with edits asks first, also for another tab', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/order-paid?tab=settings');
  const name = page.getByRole('form', { name: 'Settings' }).getByLabel('Name', { exact: true });
  await name.fill('Order settled');
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await name.inputValue()).toBe('Order settled');
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Occurrences keep the notifications').waitFor();
  await page.close();
});

it('a session that ends shows the sign-in page before an open dialog, and keeps what was typed in it', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await name.fill('Newsletter');
  await page.getByRole('dialog').getByLabel('Type').selectOption('inbox');
  // The dialog is the first to learn it.
  const polls = '**/api/**';
  await page.route(polls, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  const ended = async () => (await page.context().request.get(`${app.url}/api/o/demo/c/`)).status() === 401;
  await app.pool.query('delete from api_keys where parent_id is not null');
  await until(20_000, ended);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('API key').waitFor();
  await page.unroute(polls);
  await page.getByLabel('API key').fill(key, { timeout: 30_000 });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await name.waitFor();
  expect(await name.inputValue()).toBe('Newsletter');
  await page.getByRole('alert').getByText('Your session had ended').waitFor();
  // What the service said to the dialog is about API keys, which a person at this page does not send.
  expect(await page.getByText('Authorization:').count()).toBe(0);
  await page.close();
});

it('pasted members may have names, and an error names the one that is wrong', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/lists');
  await page.getByRole('link', { name: 'Management' }).first().click();
  await page.getByRole('button', { name: 'Add members' }).click();
  const field = page.getByRole('dialog').getByRole('textbox');
  await field.fill('Zoë Öz <zoe@example.com>; max@example\neve@example.com');
  await page.getByRole('dialog').getByRole('button', { name: /Add 3/ }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('max@example').waitFor();
  expect(await alert.textContent()).not.toMatch(/\[\d\]/);
  await field.fill('Zoë Öz <zoe@example.com>; max@example.com\neve@example.com');
  await page.getByRole('dialog').getByRole('button', { name: /Add 3/ }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('cell', { name: 'zoe@example.com', exact: true }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(1);
  expect(await page.getByRole('cell', { name: 'email', exact: true }).count()).toBe(0);
  await page.close();
});

const SCHEDULE = '/api/o/demo/p/shop/a/web/e/order-paid/schedule/';
const SCHEDULE_PAGE = 'o/demo/events/shop/web/order-paid?tab=schedule';

interface Schedule {
  cron: string;
  last_runs: object[];
}

/** What axe finds in both widths, in light and dark, and what is wider than the window. */
async function looksOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, viewport] of [['light', DESKTOP] as const, ['dark', PHONE] as const]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsOf(page)));
    if (await isWiderThanWindow(page)) found.push(`wider than ${viewport.width} pixels`);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${viewport.width}.png`, fullPage: true });
  }
  await page.setViewportSize(DESKTOP);
  return found;
}

it('a schedule is set from a preset or cron, with its next runs on both clocks and errors at the field', async () => {
  const { page, complaints } = await signIn(browser, app, key, { timezoneId: 'America/New_York' });
  await app.as(key).delete(SCHEDULE).expect(204); // the demo has one
  const saves: string[] = [];
  page.on('request', (request) => void (request.method() === 'PUT' && saves.push(request.url())));
  await open(page, app, SCHEDULE_PAGE);
  await page.getByRole('button', { name: 'New schedule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Repeats').selectOption('Every week');
  await dialog.getByLabel('Time zone').fill('Europe/Rome');
  const next = dialog.getByRole('table', { name: 'Next runs' });
  await next.getByRole('columnheader', { name: 'Your clock (America/New_York)' }).waitFor();
  await until(5_000, async () => /^(Mon, [^\t]+ 09:00\tMon, [^\t]+ 0[34]:00\n?){5}$/.test(await bodyOf(next)));
  await dialog.getByRole('group', { name: 'Context' }).getByRole('textbox', { name: 'order', exact: true }).waitFor();
  // The page behind the dialog asks for the schedule again and again. What was typed stays.
  await page.waitForResponse((response) => response.url().endsWith(SCHEDULE));
  const found = await looksOf(page, 'schedule-dialog');
  await dialog.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Copy as curl' }).press('Enter');
  await page.getByRole('menuitem', { name: /^Copied|^curl -X PUT/ }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Repeats').selectOption('Custom cron');
  const cron = dialog.getByLabel('Cron', { exact: true });
  expect(await cron.inputValue()).toBe('0 9 * * mon');
  expect(saves).toEqual([]); // a copy saves nothing
  await cron.fill('61 * * * *');
  await dialog.getByText('Shown when the cron expression and the time zone are complete.').waitFor();
  await cron.press('Enter');
  await dialog.locator('.field .error').getByText('must have five fields').waitFor();
  expect(await cron.getAttribute('aria-invalid')).toBe('true');
  await cron.fill('0 9 * * mon');
  await cron.press('Enter');
  await page.getByRole('heading', { name: 'Every Monday at 09:00' }).waitFor();
  expect(await get(SCHEDULE)).toMatchObject({
    cron: '0 9 * * mon',
    time_zone: 'Europe/Rome',
    context: { order: 'A-16' },
  });
  expect([...found, ...complaints]).toEqual([]);
  await page.context().close();
});

it('a schedule shows what became of its slots, is changed by two, paused, resumed and deleted', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await app
    .as(key)
    .put(SCHEDULE)
    .send({ cron: '0 9 * * mon', time_zone: 'Europe/Rome', context: { order: 'A-16', total: 5 } });
  await open(page, app, SCHEDULE_PAGE);
  await page.getByRole('button', { name: 'Edit …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Repeats').selectOption('Monday to Friday');
  await app
    .as(key)
    .put(SCHEDULE)
    .send({ cron: '* * * * *', context: { order: 'A-17', total: 5 } })
    .expect(200);
  // Three slots came while no process ran.
  const slot = `date_trunc('minute', now()) - interval '3 minutes'`;
  await app.pool.query(`update schedule_runs set slot = ${slot} where occurrence_id is null and skipped is null`);
  await until(10_000, async () => (await get(SCHEDULE)).last_runs.length >= 4);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Changed by somebody else meanwhile').waitFor();
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByRole('heading', { name: 'Monday to Friday at 09:00' }).waitFor();
  const last = page.getByRole('table', { name: 'Last runs' });
  await last.getByText('only the latest missed slot is run').first().waitFor();
  expect(await last.getByText('Skipped').count()).toBeGreaterThanOrEqual(3);
  const found = await looksOf(page, 'schedule');
  const mayNotTrigger = await app.key({ org: 'demo', permissions: ['event:list', 'event:write'] });
  const other = await signIn(browser, app, mayNotTrigger);
  await open(other.page, app, SCHEDULE_PAGE);
  await other.page.getByText('event:write, event:trigger').waitFor();
  expect(await other.page.getByRole('button', { name: 'Edit …' }).isDisabled()).toBe(true);
  await other.page.getByRole('button', { name: 'Pause' }).click();
  await other.page.getByText('None while the schedule is paused.').waitFor();
  expect(await other.page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);
  await other.page.context().close();
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('table', { name: 'Next runs' }).waitFor();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  await page.getByText('No schedule triggers this event').waitFor();
  await app.as(key).get(SCHEDULE).expect(404);
  expect([...found, ...(await looksOf(page, 'no-schedule')), ...complaints]).toEqual([]);
  await page.context().close();
});

const get = async (path: string) => (await app.as(key).get(path).expect(200)).body as Schedule;
const bodyOf = (table: Locator) => table.locator('tbody').innerText();

it('a trigger carries files that were chosen', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/order-paid');
  await page.getByRole('button', { name: 'Trigger …' }).click();
  const dialog = page.getByRole('dialog');
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') };
  await dialog.getByLabel('Files').setInputFiles([note, { ...note, name: 'other.txt' }]);
  await dialog.getByRole('button', { name: 'Remove other.txt' }).click();
  await dialog.getByText('note.txt').waitFor();
  expect(await looksOf(page, 'trigger-files')).toEqual([]);
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
  const id = (await dialog.getByRole('link').getAttribute('href'))!.split('/').at(-1);
  const { rows } = await app.pool.query<{ files: { filename: string }[] }>(
    `select options->'attachments' files from occurrences where id = $1`,
    [id],
  );
  expect(rows[0]?.files).toMatchObject([{ filename: 'note.txt' }]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('an event is triggered by fields, without JSON', async () => {
  const { page, complaints } = await signIn(browser, app, key, { viewport: PHONE });
  await open(page, app, 'o/demo/events/shop/web/order-paid');
  await page.getByRole('button', { name: 'Trigger …' }).click();
  const dialog = page.getByRole('dialog');
  const data = dialog.getByRole('group', { name: 'Context' });
  const order = data.getByRole('textbox', { name: 'order', exact: true });
  await until(5_000, async () => (await order.inputValue()) !== ''); // that of the latest occurrence
  await order.fill('A-99');
  await data.getByLabel('Name of another field').fill('shipping.express');
  await data.getByRole('button', { name: 'Add the field' }).click();
  await data.getByRole('combobox', { name: 'What shipping.express is' }).selectOption('Yes or no');
  await data.getByRole('combobox', { name: 'shipping.express', exact: true }).selectOption('Yes');
  await data.getByLabel('Name of another field').fill('extra');
  await page.keyboard.press('Enter');
  await data.getByRole('button', { name: 'Remove extra' }).click();
  const found = await violationsOf(page);
  if (await isWiderThanWindow(page)) found.push('wider than the window');
  await data.getByRole('button', { name: 'As JSON' }).click();
  await data.getByRole('textbox', { name: 'Context' }).getByText('"express": true').waitFor();
  await data.getByRole('button', { name: 'As fields' }).click();
  expect(await order.inputValue()).toBe('A-99');
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
  const [, occurrence] = /occurrences\/([\w-]+)/.exec(
    (await dialog.getByRole('link').first().getAttribute('href')) ?? '',
  )!;
  const { body } = await app.as(key).get(`/api/o/demo/occurrences/${occurrence}/`);
  const { context } = body as { context: Record<string, unknown> };
  expect(context).toMatchObject({ order: 'A-99', shipping: { express: true } });
  expect(context).not.toHaveProperty('extra');
  expect([...found, ...complaints]).toEqual([]);
  await page.context().close();
});
