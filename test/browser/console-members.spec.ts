import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

it('a key is made with a role, and single permissions are one click away', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('help desk');
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  await dialog.getByRole('radio', { name: /^Choose permissions/ }).check();
  await dialog.getByRole('checkbox', { name: 'write preference' }).uncheck();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'New key' }).click();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  const { body } = await app.as(key).get('/api/o/demo/k/');
  const made = (body as { name: string; permissions: string[] }[]).find(({ name }) => name === 'help desk')!;
  const { body: roles } = await app.as(key).get('/api/roles/');
  const [, support] = roles as { permissions: string[] }[];
  const expected = support!.permissions.filter((permission) => permission !== 'preference:write');
  expect(made.permissions.toSorted()).toEqual(expected.toSorted());
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a role with more permissions than the session has is not offered', async () => {
  const { body: roles } = await app.as(key).get('/api/roles/');
  const [viewer] = roles as { permissions: string[] }[];
  const permissions = [...viewer!.permissions, 'apikey:read', 'apikey:write'];
  const created = await app.as(key).post('/api/o/demo/k/').send({ name: 'few', permissions });
  const { page } = await signIn(browser, app, (created.body as { key: string }).key);
  await open(page, app, 'o/demo/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^Viewer/ }).waitFor();
  expect(await dialog.getByRole('radio').count()).toBe(2);
  await page.context().close();
});
