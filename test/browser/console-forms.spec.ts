import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { open, signIn } from '../support/console.js';

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

it('a session that ends shows the sign-in page before an open dialog, and keeps what was typed in it', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await name.fill('Newsletter');
  await app.pool.query('delete from api_keys where parent_id is not null');
  await page.getByLabel('API key').fill(key, { timeout: 30_000 });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await name.waitFor();
  expect(await name.inputValue()).toBe('Newsletter');
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
