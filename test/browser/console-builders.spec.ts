import { expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf, useNoDrafts } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

/** The field that is marked stands in the window. */
const INVALID_IS_SEEN = `(() => {
  const box = document.querySelector('.workbench [aria-invalid="true"]')?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
})()`;
const EVENT = '/api/o/demo/p/shop/a/web/e/order-paid/';

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { Authorization: `Key ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
};
let made = 0;
const notificationWith = (fields: object) =>
  call<{ id: number }>('POST', `${EVENT}n/`, {
    ...{
      name: `Large orders ${++made}`,
      distribution_lists: ['Staff'],
      templates: [{ channel: 'mail', text: 'Hello' }],
    },
    ...fields,
  });
const pathTo = (id: number) => `o/demo/events/shop/web/order-paid?rule=${id}&part=who`;
const conditionOf = (page: Page) => page.getByRole('group', { name: 'Sent only if' });
const row = (of: Locator, number: number) => of.getByRole('listitem', { name: `Row ${number}` });

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published. It counts for').waitFor();
}

it('a condition is made of rows, with the fields of past triggers, and is what the service evaluates', async () => {
  await call('POST', `${EVENT}trigger/`, {
    context: { order: 'B-1', total: 250, currency: 'EUR', paid: true, tags: ['vip'], due: '2026-12-24T10:00:00Z' },
  });
  const { id } = await notificationWith({});
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, pathTo(id));
  const condition = conditionOf(page);
  await condition.getByText('Always: there is no condition.').waitFor();
  // With the keyboard alone: the new row has the focus.
  await condition.getByRole('button', { name: 'Add a row' }).focus();
  await page.keyboard.press('Enter');
  await row(condition, 1).waitFor();
  await page.waitForFunction(`document.activeElement.getAttribute('aria-label') === 'Field'`);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('total');
  await page.keyboard.press('Tab');
  expect(await row(condition, 1).getByLabel('Comparison').inputValue()).toBe('number above');
  await row(condition, 1).getByText('Not finished').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('100');
  await condition.getByText('True for the data that the preview shows.').waitFor();
  await condition.getByRole('button', { name: 'Add a row' }).click();
  await row(condition, 2).getByLabel('Field').fill('currency');
  await row(condition, 2).getByLabel('Comparison').selectOption('text one_of');
  for (const currency of ['EUR', "D'OR"]) {
    await row(condition, 2).getByLabel('Add a value').fill(currency);
    await page.keyboard.press('Enter');
  }
  await condition.getByRole('button', { name: 'Add a row' }).click();
  await row(condition, 3).getByLabel('Field').fill('due');
  expect(await row(condition, 3).getByLabel('Comparison').inputValue()).toBe('date from');
  await row(condition, 3).getByLabel('Value').fill('2026-12-24');
  await condition.getByRole('button', { name: 'Add a row' }).click();
  await row(condition, 4).getByLabel('Field').fill('tags');
  await row(condition, 4).getByLabel('Value').fill('vip');
  await condition.getByText('True for the data that the preview shows.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'condition');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'condition-phone');
  await publish(page);
  const { when } = await call<{ when: string }>('GET', `${EVENT}n/${id}/`);
  expect(when).toBe(
    "total > `100` && contains(`[\"EUR\",\"D'OR\"]`, currency) && (type(due) == 'string' && max([due, '2026-12-24']) == due) && contains(to_array(tags), 'vip')",
  );
  await page.reload();
  await row(condition, 4).waitFor();
  expect(await row(condition, 1).getByLabel('Value').inputValue()).toBe('100');
  await row(condition, 2).getByRole('button', { name: "Remove D'OR" }).waitFor();
  // A row without a value is not published by mistake.
  await row(condition, 1).getByLabel('Value').fill('a lot');
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Finish or correct these first: Condition.').waitFor();
  expect(complaints).toEqual([]);
  await call('DELETE', `${EVENT}n/${id}/`);
  await page.context().close();
});

it('a condition that rows cannot say opens as JMESPath with the reason, and is checked while one types', async () => {
  const { id } = await notificationWith({ when: "total > `5` && (order == 'A-1' || order == 'A-2')" });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, pathTo(id));
  const condition = conditionOf(page);
  await condition.getByText('it joins comparisons with both “and” and “or”').waitFor();
  const typed = condition.getByLabel('Condition');
  await typed.fill('total > 100');
  await condition.getByRole('alert').getByText('Write numbers, true, false and null in backticks: `100`.').waitFor();
  expect(await typed.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Finish or correct these first: Condition.').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'condition-text');
  await typed.fill("order == 'A-1' || order == 'A-2'");
  await condition.getByRole('button', { name: 'Use rows' }).click();
  expect(await condition.getByLabel('Rows that must be true').inputValue()).toBe('any');
  await condition.getByLabel('Rows that must be true').selectOption('all');
  await condition.getByText('False for the data that the preview shows').waitFor();
  await publish(page);
  expect(await call('GET', `${EVENT}n/${id}/`)).toMatchObject({ when: "order == 'A-1' && order == 'A-2'" });
  expect(complaints).toEqual([]);
  await call('DELETE', `${EVENT}n/${id}/`);
  await page.context().close();
});

it('orders above 100 EUR, customers in Italy, once a day at most: without JSON', async () => {
  await call('POST', `${EVENT}trigger/`, { context: { order: 'B-2', total: 250, currency: 'EUR' } });
  await call('PATCH', '/api/o/demo/u/ann@example.com/', {
    custom_fields: { country: 'IT', age: 40 },
    _mode: 'MERGE',
  });
  const { id } = await notificationWith({
    distribution_lists: [],
    audience: { field: 'email', is: 'nobody@example.com' },
  });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, pathTo(id));
  const condition = conditionOf(page);
  await condition.getByRole('button', { name: 'Add a row' }).click();
  await row(condition, 1).getByLabel('Field').fill('total');
  await row(condition, 1).getByLabel('Value').fill('100');
  await condition.getByRole('button', { name: 'Add a row' }).click();
  await row(condition, 2).getByLabel('Field').fill('currency');
  await row(condition, 2).getByLabel('Value').fill('EUR');
  const audience = page.getByRole('group', { name: 'Audience' });
  await audience.getByText('Nobody is in it.').waitFor();
  await row(audience, 1).getByLabel('Field').fill('country');
  await row(audience, 1).getByLabel('Value').fill('IT');
  await audience.getByText('1 user is in it. ann@example.com.').waitFor();
  // A group one level deep, with a number.
  await audience.getByRole('button', { name: 'Add a group' }).click();
  const group = audience.getByRole('group', { name: 'Group 1' });
  await group.getByLabel('Users for whom').selectOption('none');
  await group.getByRole('button', { name: 'Add a row' }).click();
  await row(group, 1).getByLabel('Field').fill('age');
  expect(await row(group, 1).getByLabel('Comparison').inputValue()).toBe('number above');
  await row(group, 1).getByLabel('Value').fill('30');
  await audience.getByText('Nobody is in it.').waitFor();
  await row(group, 1).getByLabel('Value').fill('50');
  await audience.getByText('1 user is in it.').waitFor();
  await page.getByLabel('At most so many messages for a user').check();
  // The service says what it would refuse, at the field and before publishing.
  const count = page.getByLabel('Messages', { exact: true });
  await count.fill('0');
  await page.locator('.field').filter({ has: count }).getByRole('alert').waitFor();
  expect(await count.getAttribute('aria-invalid')).toBe('true');
  // Also for those who are elsewhere: publishing is refused, and leads to the field.
  await page.getByRole('navigation', { name: 'Parts of this notification' }).getByText('Mail').click();
  await page.getByText('to correct').waitFor();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByText('limit.count').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.waitForFunction(INVALID_IS_SEEN);
  await count.fill('1');
  await page.locator('.field').filter({ has: count }).getByRole('alert').waitFor({ state: 'detached' });
  await page.getByLabel('Only at certain hours').check();
  await page.getByLabel('Gather several messages to a user into one').check();
  await page.getByLabel('So long after the first message').fill('30');
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'who-and-when');
  for (const size of [{ width: 1024, height: 768 }, PHONE]) {
    await page.setViewportSize(size);
    expect(await isWiderThanWindow(page)).toBe(false);
  }
  await picture(page, 'who-and-when-phone');
  await publish(page);
  expect(await call('GET', `${EVENT}n/${id}/`)).toMatchObject({
    when: "total > `100` && currency == 'EUR'",
    audience: {
      all: [{ field: 'custom_fields.country', is: 'IT' }, { not: { any: [{ field: 'custom_fields.age', gt: 50 }] } }],
    },
    limit: { count: 1, per: 'day', then: 'drop' },
    window: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
    digest: { window: '30m', first: 'wait', max_items: 50 },
  });
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('This notification would send 1 message.').waitFor();
  // Without rows: everything is as before.
  await audience.getByRole('button', { name: 'Write it as JSON' }).click();
  await audience.getByText('"custom_fields.country"').waitFor();
  await page.getByLabel('At most so many messages for a user').uncheck();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Changes of Order paid: Limit.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published. It counts for').waitFor();
  expect(await call('GET', `${EVENT}n/${id}/`)).toHaveProperty('limit', null);
  expect(complaints).toEqual([]);
  await call('DELETE', `${EVENT}n/${id}/`);
  await page.context().close();
});
