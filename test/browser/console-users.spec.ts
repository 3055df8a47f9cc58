import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { until } from '../support/until.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');

/** Presses the button of the dialog, and waits until the dialog is gone. */
async function confirm(page: Page, name: string): Promise<void> {
  await dialog(page).getByRole('button', { name, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}

const profileOf = async (email: string) =>
  (await app.as(key).get(`/api/o/demo/users/${email}/`).expect(200)).body as Record<string, unknown>;

it('a new user gets custom fields, and they are changed on the page of the user without JSON', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people');
  await button(page, 'New user').click();
  await page.getByLabel('E-mail', { exact: true }).fill('gina@example.com');
  await button(page, 'Add a field').click();
  await page.getByLabel('Name of field 1').fill('country');
  await page.getByLabel('Value of country').fill('Italy');
  await button(page, 'Add a field').click();
  await page.getByLabel('Name of field 2').fill('orders');
  await page.getByLabel('Kind of orders').selectOption('number');
  await page.getByLabel('Value of orders').fill('many');
  await dialog(page).getByRole('button', { name: 'New user' }).click();
  await page.getByText('Not a number.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-new-user-fields');
  await page.getByLabel('Value of orders').fill('12');
  await dialog(page).getByRole('button', { name: 'New user' }).click();
  await page.getByRole('heading', { name: 'gina@example.com' }).waitFor();
  expect(await profileOf('gina@example.com')).toMatchObject({ custom_fields: { country: 'Italy', orders: 12 } });

  await app
    .as(key)
    .patch('/api/o/demo/u/gina@example.com/')
    .send({ custom_fields: { home: { city: 'Roma' } }, first_name: 'Gina', _mode: 'MERGE' })
    .expect(200);
  await page.reload();
  await settled(page);
  await button(page, 'Change Custom fields').click();
  await page.getByLabel('Kind of country').selectOption('yes_no');
  await page.getByLabel('Value of country').selectOption('true');
  await button(page, 'Remove orders').click();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  await look(page, 'console-fields-phone');
  expect(await isWiderThanWindow(page)).toBe(false);
  await confirm(page, 'Save');
  // The name and what the page cannot show in one row stay.
  expect(await profileOf('gina@example.com')).toMatchObject({
    first_name: 'Gina',
    custom_fields: { country: true, home: { city: 'Roma' } },
  });
  await page.getByText('Show', { exact: true }).click();
  await page.getByText('"city": "Roma"').waitFor();
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-user-fields-phone');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('two who change the custom fields of one user at once: the second is told', async () => {
  await app
    .as(key)
    .patch('/api/o/demo/u/bob@example.com/')
    .send({ custom_fields: { team: 'ops' }, _mode: 'REPLACE' });
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people/bob@example.com');
  await button(page, 'Change Custom fields').click();
  await app
    .as(key)
    .patch('/api/o/demo/u/bob@example.com/')
    .send({ custom_fields: { team: 'sales' }, _mode: 'MERGE' });
  await page.getByLabel('Value of team').fill('support');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).getByText('custom_fields.team').waitFor();
  expect(await profileOf('bob@example.com')).toMatchObject({ custom_fields: { team: 'sales' } });
  await page.context().close();
});

it('tells why a user got nothing of an order, although no notification was for the user', async () => {
  const context = { order: 'A-50', total: 5 };
  await app.as(key).post('/api/o/demo/p/shop/a/web/e/order-paid/trigger/').send({ context }).expect(201);
  await app.as(key).post('/api/o/demo/u/').send({ email: 'hugo@example.com', first_name: 'Hugo' }).expect(201);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people/hugo@example.com');
  await page.getByText('Nothing here').waitFor();
  await page.getByRole('link', { name: 'Why or why not' }).first().click();
  await page.getByLabel('Order number, or another text of the data').fill('a-50');
  await page.waitForURL(/about=a-50/);
  const answer = page.getByRole('row').filter({ hasText: 'Hugo (hugo@example.com) was not sent' });
  await until(20_000, async () => (await page.getByRole('row').count()) === 2);
  await answer.waitFor();
  expect(await answer.innerText()).toContain('not sent');
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-user-why');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await look(page, 'console-user-why-phone');
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByLabel('Event', { exact: true }).fill('shop/web/no-such-event');
  await page.getByText('No such occurrence').waitFor();
  await page.getByLabel('Event', { exact: true }).fill('');
  await answer.getByRole('link', { name: 'Order paid' }).click();
  await page.waitForURL(/\/occurrences\/[0-9a-f-]{36}\?user=hugo%40example.com$/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('sends something again to one user alone, from the page of the user and from a delivery', async () => {
  const trigger = app.as(key).post('/api/o/demo/p/shop/a/web/e/order-paid/trigger/');
  const { occurrence } = (await trigger.send({ context: { order: 'A-60', total: 5 } }).expect(201)).body as {
    occurrence: string;
  };
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people/ann@example.com');
  const again = button(page, 'Send again … Tell the staff').first();
  await again.waitFor();
  await again.click();
  await page.getByText('a user who got the message gets it twice').waitFor();
  await dialog(page).locator('option:checked', { hasText: 'Tell the staff' }).waitFor({ state: 'attached' });
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-send-again');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await look(page, 'console-send-again-phone');
  await page.setViewportSize({ width: 1280, height: 860 });
  await dialog(page).getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('It is sent.').waitFor();
  await page
    .getByText(/was sent "Tell the staff"/)
    .first()
    .waitFor();
  const link = page.getByRole('link', { name: 'Follow the occurrence' });
  const second = /occurrences\/([0-9a-f-]{36})/.exec((await link.getAttribute('href'))!)![1]!;
  expect(second).not.toBe(occurrence);
  const deliveries = (await app.as(key).get(`/api/o/demo/occurrences/${second}/deliveries/`)).body as object[];
  expect(deliveries).toMatchObject([{ user: 'ann@example.com', notification: 'Tell the staff', status: 'sent' }]);

  await open(page, app, `o/demo/occurrences/${occurrence}?user=ann@example.com`);
  await page.getByRole('button', { name: '1 attempt' }).first().click();
  await dialog(page).getByRole('button', { name: 'Send again …' }).click();
  await page.getByText('a user who got the message gets it twice').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('exports what is stored about a user, and erases the user from the history too', async () => {
  await app.as(key).post('/api/o/demo/u/').send({ email: 'ida@example.com', first_name: 'Ida' }).expect(201);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people/ida@example.com');
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export data' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('ida@example.com.ndjson');
  expect(readFileSync(await file.path(), 'utf8')).toContain('"email":"ida@example.com"');
  await button(page, 'Delete').first().click();
  await page.getByLabel('Also erase their data from the history').check();
  await page.getByLabel('Type ida@example.com to confirm').fill('ida@example.com');
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-erase');
  await confirm(page, 'Delete and erase');
  await page.waitForURL(/\/people$/);
  const entries = (await app.as(key).get('/api/o/demo/audit/?noun=user&limit=1000').expect(200)).body as {
    verb: string;
  }[];
  expect(entries.map(({ verb }) => verb)).toContain('erase');
  expect(complaints).toEqual([]);
  await page.context().close();
});
