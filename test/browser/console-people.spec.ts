import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PERMISSIONS } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

/** Presses the button of the dialog, and waits until the dialog is gone. */
async function confirm(page: Page, name: string): Promise<void> {
  await dialog(page).getByRole('button', { name, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

it('finds a person, shows what they were not sent and why, and changes what belongs to them', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people');
  await button(page, 'New user').click();
  await page.getByLabel('E-mail', { exact: true }).fill('eve@example.com');
  await page.getByLabel('First name').fill('Eve');
  expect(await violationsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'New user' }).click();
  await page.getByRole('heading', { name: 'Eve' }).waitFor();
  await page.getByText('Nothing here').waitFor();

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByPlaceholder('Name, e-mail or address').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('an');
  await page.waitForURL(/search=an$/);
  await row(page, 'bob@example.com').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Ann Lee' }).click();
  // A locked person gets nothing. The page says so.
  await button(page, 'Lock').click();
  await button(page, 'Unlock').waitFor();
  const context = { order: 'A-18', total: 5 };
  await app.as(key).post('/api/o/demo/p/shop/a/web/e/order-paid/trigger/').send({ context });
  const skipped = row(page, 'was not sent "Tell the staff" over inbox').first();
  await skipped.waitFor();
  expect(await skipped.getByText('not sent', { exact: true }).count()).toBe(1);
  const link = await skipped.getByRole('link').first().getAttribute('href');
  expect(link).toMatch(/\/occurrences\/[0-9a-f-]{36}\?user=ann%40example.com$/);

  // What audiences and templates use of Ann, and the lists with Ann.
  await page.getByRole('heading', { name: 'Custom fields' }).waitFor();
  await page.getByText('Staff (Shop)').waitFor();

  await button(page, 'Add').click();
  await page.getByLabel('Kind').fill('phone');
  await page.getByLabel('Address', { exact: true }).fill('+43 660 1112223');
  await confirm(page, 'Add');
  await page.getByText('+436601112223').first().waitFor();
  const settings = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Time, locale and quiet hours' }) });
  await settings.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Time zone').fill('Europe/Vienna');
  await page.getByLabel('Their own').check();
  expect(await violationsOf(page)).toEqual([]);
  await confirm(page, 'Save');
  await page.getByText('Every day 22:00–07:00').waitFor();

  await app
    .as(key)
    .patch('/api/o/demo/p/shop/categories/news/')
    .send({ frequencies: ['daily'] })
    .expect(200);
  await page.getByRole('link', { name: 'Preferences' }).click();
  const choice = page.getByRole('switch', { name: 'News, inbox' });
  await choice.waitFor();
  const [head, everything] = await Promise.all(
    ['thead th', 'tbody th'].map((cell) => page.locator(`.preferences ${cell}`).first().boundingBox()),
  );
  expect(head!.y + head!.height).toBeLessThanOrEqual(everything!.y);
  await choice.click();
  await button(page, 'Forget this choice News, inbox').click();
  await button(page, 'Forget this choice News, inbox').waitFor({ state: 'detached' });
  const often = page.getByRole('combobox', { name: 'News, how often' });
  await often.selectOption('daily');
  await often.locator('option[value=daily]:checked').waitFor({ state: 'attached' });
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await settled(page);

  await open(page, app, 'o/demo/people/eve@example.com');
  await button(page, 'Delete').first().click();
  expect(await dialog(page).getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await page.getByLabel('Type eve@example.com to confirm').fill('eve@example.com');
  await confirm(page, 'Delete');
  await page.waitForURL(/\/people$/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('changes lists, categories and suppressions, and finds the changes in the audit', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/lists');
  await button(page, 'New list').click();
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  await dialog(page).getByRole('button', { name: 'New list' }).click();
  await page.getByRole('heading', { name: 'Night shift' }).waitFor();
  await button(page, 'Add members').first().click();
  await page.getByLabel('E-mail addresses').fill('ann@example.com, bob@example.com\nzoe@example.com');
  await dialog(page).getByRole('button', { name: 'Add 3 members' }).click();
  await page.getByText('1 user was created').waitFor();
  await confirm(page, 'Close');
  await button(page, 'Change bob@example.com').click();
  await page.getByLabel('Receives messages').uncheck();
  await confirm(page, 'Save');
  await row(page, 'bob@example.com').getByText('Off').waitFor();
  await button(page, 'Remove zoe@example.com').click();
  await confirm(page, 'Remove');
  await row(page, 'zoe@example.com').waitFor({ state: 'detached' });

  await open(page, app, 'o/demo/categories');
  await button(page, 'New category').click();
  await page.getByLabel('Name', { exact: true }).fill('Tips');
  expect(await page.getByLabel('Slug').inputValue()).toBe('tips');
  // Only the types of channels that the project can use.
  const read = async (path: string) => (await app.as(key).get(path).expect(200)).body as { type: string }[];
  const channels = [...(await read('/api/o/demo/c/')), ...(await read('/api/o/demo/p/shop/c/'))];
  await page.getByLabel('inbox').waitFor();
  expect(await dialog(page).getByRole('combobox').count()).toBe(new Set(channels.map(({ type }) => type)).size);
  await page.getByLabel('Off: users get it once they choose it').check();
  await page.getByLabel('inbox').selectOption('on');
  await page.getByLabel('Once a day, in one message').check();
  await page.getByLabel('Time of the message').fill('08:30');
  await confirm(page, 'New category');
  await row(page, 'Tips').getByText('inbox on').waitFor();
  const tips = await app.as(key).get('/api/o/demo/p/shop/categories/tips/').expect(200);
  expect(tips.body).toMatchObject({ frequencies: ['daily'], digest_at: '08:30' });

  await open(page, app, 'o/demo/suppressions');
  await button(page, 'Suppress an address').first().click();
  await page.getByLabel('Address', { exact: true }).fill('zoe@example.com');
  await page.getByLabel('Why').fill('Left the company');
  await confirm(page, 'Suppress an address');
  await row(page, 'Left the company').waitFor();
  await open(page, app, 'o/demo/people/zoe@example.com');
  await page.getByRole('link', { name: 'Suppressed: added by hand' }).click();
  await button(page, 'Lift zoe@example.com').click();
  await confirm(page, 'Lift');
  await page.getByText('No such suppression').waitFor();

  await open(page, app, 'o/demo/audit?noun=category');
  const change = row(page, 'created the category shop/tips');
  await change.getByRole('button', { name: /^Show/ }).click();
  await change.getByText('description').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('creates a key that is shown once, revokes it, and ends a session', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/keys');
  await button(page, 'New key').click();
  await page.getByLabel('Name', { exact: true }).fill('Night job');
  await page.getByLabel(/^Trigger events/).check();
  await page.getByLabel('Project').selectOption('shop');
  expect(await violationsOf(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'New key' }).click();
  const created = await dialog(page).locator('pre').innerText();
  expect(created).toMatch(/^crl_/);
  await page.keyboard.press('Escape');
  await confirm(page, 'I have saved it');
  expect((await app.as(created).get('/api/system/ping/')).status).toBe(403);

  const other = await signIn(browser, app, created);
  const own = row(page, 'This session');
  await own.waitFor();
  expect(await own.count()).toBe(1);
  await page.reload();
  await button(page, 'End Night job').click();
  await confirm(page, 'End');
  await button(page, 'End Night job').waitFor({ state: 'detached' });
  await other.page.context().close();

  await button(page, 'Revoke Night job').click();
  await confirm(page, 'Revoke');
  await button(page, 'Revoke Night job').waitFor({ state: 'detached' });
  expect((await app.as(created).get('/api/system/ping/')).status).toBe(401);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('shows no member, address or change of a person without user:read', async () => {
  const permissions = PERMISSIONS.filter((permission) => !permission.startsWith('user:'));
  const { page } = await signIn(browser, app, await app.key({ org: 'demo', permissions }));
  await app.as(key).post('/api/o/demo/suppressions/').send({ name: 'email', value: 'bob@example.com' });
  const seen: string[] = [];
  for (const path of ['lists/shop/1', 'people', 'people/ann@example.com', 'suppressions', 'audit', 'keys']) {
    await open(page, app, `o/demo/${path}`);
    const shown = await page.locator('main').innerText();
    if (/@example|\bAnn\b|\bBob\b/.test(shown)) seen.push(path);
  }
  expect(seen).toEqual([]);
  await page.context().close();
});

it('the page of a person lists what a false condition withheld, and why', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people/bob%40example.com');
  const withheld = page.getByRole('region', { name: 'Not sent, because no notification applied' });
  await withheld
    .getByText(/was not sent "Tell the management", because the condition .* was false/)
    .first()
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('an organization without projects leads from its lists and categories to where projects are created', async () => {
  await app
    .as(await app.key({}))
    .post('/api/o/')
    .send({ slug: 'bare', name: 'Bare' })
    .expect(201);
  const { page, complaints } = await signIn(browser, app, await app.key({ org: 'bare' }));
  for (const path of ['lists', 'categories']) {
    await open(page, app, `o/bare/${path}`);
    await page.getByText('There is no project yet').waitFor();
    expect(await page.getByText('over the API').count()).toBe(0);
  }
  await page.getByRole('link', { name: 'Go to Events' }).click();
  await button(page, 'New project').first().waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it.each([
  ['a desktop', {}],
  ['a phone', { viewport: PHONE, isMobile: true, hasTouch: true }],
] as const)('lists the devices of a user, says which one is refused, and removes one, on %s', async (name, options) => {
  const path = '/api/o/demo/u/bob@example.com/devices/';
  const register = async (device: string, body: object) =>
    expect((await app.as(key).put(`${path}com.acme.shop/${device}/`).send(body)).status).toBe(200);
  await register('phone-1', {
    ...{ platform: 'ios', apns: { token: 'abcdef0123456789', environment: 'sandbox' }, name: 'iPhone of Bob' },
    ...{ app_version: '4.2.0', locale: 'de-AT', time_zone: 'Europe/Vienna' },
  });
  await register('phone-2', { platform: 'android', fcm: { token: 'c1:APA91b' } });
  await app.pool.query(
    `insert into suppressions (organization_id, name, value, value_key, cause, evidence)
     select organization_id, name, value, address_key(value), 'hard_bounce', '{"answer": "404 UNREGISTERED"}' from addresses where name = 'fcm'
     on conflict do nothing`,
  );
  const { page, complaints } = await signIn(browser, app, key, options);
  await open(page, app, 'o/demo/people/bob@example.com');
  await page.getByRole('link', { name: 'Devices' }).click();
  const phone = row(page, 'iPhone of Bob');
  await phone.getByText('ios · com.acme.shop · 4.2.0 · apns · de-AT · Europe/Vienna').waitFor();
  expect(await phone.getByText('Refused').count()).toBe(0);
  await row(page, 'android, com.acme.shop').getByText('Refused: 404 UNREGISTERED').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  expect(await isWiderThanWindow(page)).toBe(false);
  await look(page, `console-devices-${name.replaceAll(' ', '-')}`);

  await button(page, 'Remove android, com.acme.shop').click();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, `console-remove-device-${name.replaceAll(' ', '-')}`);
  await confirm(page, 'Remove');
  await row(page, 'android, com.acme.shop').waitFor({ state: 'detached' });
  const { body } = await app.as(key).get(path);
  expect((body as { device: string }[]).map(({ device }) => device)).toEqual(['phone-1']);
  await button(page, 'Remove iPhone of Bob').click();
  await confirm(page, 'Remove');
  await page.getByText('No devices: push messages do not reach this user.').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
