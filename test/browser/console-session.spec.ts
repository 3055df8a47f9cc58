import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { PERMISSIONS } from '../../src/auth/permission.js';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { open, settled, signIn } from '../support/console.js';
import { useSubPath } from '../support/sub-path.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

it('the first load of the sign-in page logs nothing, and no request fails', async () => {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('console', (line) => wrong.push(`${line.type()}: ${line.text()}`));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('requestfailed', (request) => wrong.push(`failed: ${request.url()}`));
  page.on('response', (answer) => answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`));
  await page.goto(`${app.url}/`);
  await page.getByLabel('API key').waitFor();
  await page.waitForLoadState('networkidle');
  expect(wrong).toEqual([]);
  await page.close();
});

it('a person signs in with a key, reloads, and signs out', async () => {
  const page = await browser.newPage();
  const complaints = complaintsOf(page, app.url);
  await page.goto(`${app.url}/`);
  await page.getByLabel('API key').fill('crl_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/o/demo');
  // Neither the key nor the session can be read by a script, or is stored where one could read it.
  const readable = await page.evaluate<string>(
    'document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })',
  );
  expect(readable).toBe('{}');
  await page.reload();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await page.reload();
  await page.getByLabel('API key').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

it('a session ends within five seconds after its key was revoked', async () => {
  const other = await app.keyWithId({ org: 'demo' });
  const { page } = await signIn(browser, app, other.text);
  await open(page, app, 'o/demo/people');
  const revoked = await app.as(key).post(`/api/o/demo/k/${other.id}/revoke/`);
  expect(revoked.status).toBeLessThan(300);
  await page.getByLabel('API key').waitFor();
  await page.context().close();
});

it('a key without user:read sees no person anywhere', async () => {
  const permissions = PERMISSIONS.filter((permission) => !permission.startsWith('user:'));
  const { page, complaints } = await signIn(browser, app, await app.key({ org: 'demo', permissions }));
  const paths = [
    '',
    'occurrences',
    `occurrences/${DEMO_OCCURRENCE}`,
    'events',
    'events/shop/web/order-paid',
    'channels',
    'lists',
  ];
  const seen: string[] = [];
  for (const path of [...paths, 'categories', 'suppressions', 'audit', 'keys']) {
    await open(page, app, `o/demo/${path}`);
    const text = await page.locator('body').innerText();
    const [person] = /.*(ann@example|bob@example|\bAnn\b|\bBob\b).*/i.exec(text) ?? [];
    if (person) seen.push(`${path}: ${person}`);
  }
  expect([seen, complaints]).toEqual([[], []]);
  expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
  await page.context().close();
});

const subPath = useSubPath('/carillon');

it('works below a sub-path, behind a proxy that strips it', async () => {
  const origin = await subPath(app.url);
  const page = await browser.newPage();
  const complaints = complaintsOf(page, origin);
  await page.goto(`${origin}/carillon/`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('link', { name: /^ann/i }).first().click();
  await settled(page);
  expect(decodeURIComponent(new URL(page.url()).pathname)).toBe('/carillon/console/o/demo/people/ann@example.com');
  await page.reload();
  await settled(page);
  expect(complaints).toEqual([]);
  await page.close();
});

it('says that the connection is lost, and goes on when it is back', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Lists' }).click();
  await page.getByText('The service cannot be reached').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.context().close();
});
