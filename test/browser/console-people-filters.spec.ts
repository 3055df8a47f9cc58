import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
/** Until the table has this user alone. */
async function alone(page: Page, email: string, other: string): Promise<void> {
  await row(page, other).waitFor({ state: 'detached' });
  await row(page, email).waitFor();
}

const [ANN, BOB] = ['ann@example.com', 'bob@example.com'];

it('finds users inside of words and by filters, which stand in the address, and counts them', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people');
  await page.getByText('2 users', { exact: true }).waitFor();
  await page.getByPlaceholder('Name, e-mail or address').fill('ob@exam');
  await alone(page, BOB, ANN);
  await page.getByText('1 of 2 users').waitFor();
  await page.getByPlaceholder('Name, e-mail or address').fill('');
  await row(page, ANN).waitFor();

  await page.getByLabel('Custom field').selectOption('team');
  await alone(page, ANN, BOB);
  await page.getByLabel('team is …').fill('ops');
  await page.waitForURL(/field=team&is=ops/);
  await page.getByLabel('Addresses').selectOption('Have no address: phone');
  await page.getByText('No user passes all filters').waitFor();
  await page.getByLabel('Addresses').selectOption('Have an address: phone');
  await row(page, ANN).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-people-filters');
  for (const width of [PHONE.width, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await isWiderThanWindow(page)).toBe(false);
    if (width === PHONE.width) await look(page, 'console-people-filters-phone');
  }
  await page.reload();
  await settled(page);
  await alone(page, ANN, BOB);
  expect(await page.getByLabel('Custom field').inputValue()).toBe('team');

  await open(page, app, 'o/demo/people?order=email');
  await page.getByLabel('Distribution list').selectOption('shop/Management');
  await alone(page, BOB, ANN);
  await page.getByLabel('Distribution list').selectOption('Any list');
  await page.getByLabel('Order').selectOption('Newest first');
  await row(page, ANN).waitFor();
  const names = await page.locator('tbody tr td:first-child').allInnerTexts();
  expect(names).toEqual(['Bob Ray', 'Ann Lee']);

  await app.as(key).post('/api/o/demo/suppressions/').send({ name: 'email', value: 'zoe@example.com' }).expect(200);
  await open(page, app, 'o/demo/suppressions');
  await page.getByLabel('A part of an address').fill('OE@exam');
  await page.waitForURL(/search=OE/);
  await row(page, 'zoe@example.com').waitFor();
  await page.getByLabel('A part of an address').fill('nobody');
  await page.getByText('No such suppression').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
