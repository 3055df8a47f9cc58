import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { open, settled, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

it('an administrator invites a colleague, who signs in, sees what the role allows, and is removed', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/members');
  await page.getByText('Nobody is a member yet').waitFor();
  await page.getByRole('button', { name: 'Invite a member' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('eve@example.com');
  await dialog.getByLabel('Name').fill('Eve Kim');
  await dialog.getByRole('radio', { name: /^Viewer/ }).check();
  await dialog.getByLabel('Where').selectOption('shop');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByRole('dialog', { name: 'Sign-in link for Eve Kim' }).waitFor();
  const link = await dialog.locator('.member-link').innerText();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const context = await browser.newContext();
  const eve = await context.newPage();
  await eve.goto(link);
  await eve.getByRole('navigation').getByRole('link', { name: 'Events' }).first().waitFor();
  await settled(eve);
  expect(await eve.getByRole('link', { name: 'Keys and sessions' }).count()).toBe(0);

  const row = page.getByRole('row', { name: /Eve Kim/ });
  await row.getByText('Signed in').waitFor();
  await row.getByRole('button', { name: 'Change' }).click();
  await dialog.getByRole('radio', { name: /^Editor/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Editor').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nobody is a member yet').waitFor();
  await eve.getByLabel('API key').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await page.context().close();
});
