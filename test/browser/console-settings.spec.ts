import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';
import { contract } from '../support/contract/contract.js';
import { until } from '../support/until.js';

const SETTINGS = '/api/o/demo/settings/';
const WEBHOOK = '/api/o/demo/p/shop/a/web/status-webhook/';

let app: TestApp;
let key: string;
let operator: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  operator = await app.key();
});
useBrowser((started) => (browser = started));

const get = async (path: string) => (await app.as(key).get(path).expect(200)).body as Record<string, unknown>;
async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (!SCREENSHOTS) return;
  await page.screenshot({ path: `${SCREENSHOTS}/${name}-desktop.png`, fullPage: true });
  await page.setViewportSize(PHONE);
  await page.screenshot({ path: `${SCREENSHOTS}/${name}-phone.png`, fullPage: true });
}
const section = (page: Page, name: string) => page.getByRole('form', { name, exact: true });

/** The names of the API's fields that a page shows. */
const fieldsOn = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[data-field]')].map((one) => one.dataset.field)`);

it('every setting of an organization that the API has is on the page of settings, or on that of the brand', async () => {
  const { schemas } = contract.components;
  const bodies = ['UpdateOrganization', 'UpdateOrganizationSettings', 'UpdateOrganizationQuotas'];
  const inApi = bodies.flatMap((name) => Object.keys((schemas[name] as { properties?: object }).properties ?? {}));
  expect(inApi.length).toBeGreaterThan(18);
  const { page } = await signIn(browser, app, operator);
  await open(page, app, 'o/demo/settings');
  const settings = await fieldsOn(page);
  await picture(page, 'settings');
  await page.getByRole('link', { name: 'Open the brand' }).click();
  await page.getByRole('heading', { name: 'Brand', level: 1 }).waitFor();
  await settled(page);
  const shown = new Set([...settings, ...(await fieldsOn(page))]);
  expect(inApi.filter((name) => !shown.has(name))).toEqual([]);
  await page.context().close();
});

it('a section saves by itself, beside another with edits, and marks the field that is wrong', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await section(page, 'Time and language').waitFor();
  await settled(page);
  const region = section(page, 'Time and language');
  await region.getByLabel('Time zone').fill('Europe/Nowhere');
  await region.getByLabel('Locale').fill('de-AT');
  await region.getByRole('button', { name: 'Save' }).click();
  await region.locator('[data-field="time_zone"] .error').waitFor();
  expect(await region.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('true');
  expect(await violationsOf(page)).toEqual([]);

  const quiet = section(page, 'Quiet hours');
  await quiet.getByLabel('Messages wait at these times').check();
  await quiet.getByLabel('To', { exact: true }).fill('06:30');
  const limit = section(page, 'Most messages for one user');
  await limit.getByLabel('Messages', { exact: true }).fill('5');
  await limit.getByLabel('In which period').selectOption('week');
  const origins = section(page, 'Origins of the inbox element');
  await origins.getByRole('button', { name: 'Add an origin' }).click();
  await origins.getByLabel('Origin 1', { exact: true }).fill('https://app.example.com/path');
  await origins.getByRole('button', { name: 'Save' }).click();
  await origins.getByText('must be an origin such as').first().waitFor();
  await origins.getByLabel('Origin 1', { exact: true }).fill('https://app.example.com');
  await region.getByLabel('Time zone').fill('Europe/Vienna');
  // One after the other: each has seen the version that the one before it has made.
  for (const one of [origins, region, limit, quiet]) {
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByText('Saved.').waitFor();
  }
  const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  expect(await get(SETTINGS)).toMatchObject({
    time_zone: 'Europe/Vienna',
    locale: 'de-AT',
    quiet_hours: [{ days: week, from: '22:00', to: '06:30' }],
    limit: { count: 5, per: 'week' },
    origins: ['https://app.example.com'],
  });
  for (const [part, name] of [
    [limit, 'Messages'],
    [region, 'Locale'],
  ] as const)
    await part.getByLabel(name, { exact: true }).fill('');
  await origins.getByRole('button', { name: 'Remove origin 1' }).click();
  await quiet.getByLabel('Messages wait at these times').uncheck();
  for (const one of [origins, region, limit, quiet]) {
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByText('Saved.').waitFor();
  }
  expect(await get(SETTINGS)).toMatchObject({ locale: null, quiet_hours: null, limit: null, origins: [] });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a section shows what somebody else has changed in it meanwhile, and asks before it is left with edits', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/settings');
  const region = section(page, 'Time and language');
  await region.getByLabel('Locale').fill('it');
  await app.as(key).patch(SETTINGS).send({ locale: 'fr' }).expect(200);
  await region.getByRole('button', { name: 'Save' }).click();
  await region.getByRole('alert').getByText('fr').first().waitFor();
  await page.getByRole('link', { name: 'Brand', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await region.getByRole('button', { name: 'Do it anyway' }).click();
  await region.getByText('Saved.').waitFor();
  expect(await get(SETTINGS)).toMatchObject({ locale: 'it' });
  await page.context().close();
});

it('an application gets a status webhook, whose new secret is shown once', async () => {
  await app.as(key).delete(WEBHOOK).expect(204);
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/settings');
  await page.getByRole('button', { name: 'Add a status webhook … web' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('https://shop.example.com/deliveries');
  await dialog.getByLabel(/^sent:/).uncheck();
  await dialog.getByLabel(/^bounced:/).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const secret = await dialog.locator('pre').innerText();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  const outcomes = ['failed', 'dead', 'bounced'];
  expect(await get(WEBHOOK)).toEqual({
    ...{ url: 'https://shop.example.com/deliveries', secret: '********' },
    outcomes,
    enabled: true,
  });

  const reopen = page.getByRole('button', { name: 'Status webhook … web' });
  await reopen.click();
  await dialog.getByLabel('On: outcomes are sent').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Status webhook is off').waitFor();
  expect(await get(WEBHOOK)).toMatchObject({ enabled: false });

  await reopen.click();
  await dialog.getByRole('button', { name: 'Remove the webhook' }).click();
  await dialog.getByRole('button', { name: 'Remove the webhook' }).click();
  await page.getByRole('button', { name: 'Add a status webhook … web' }).waitFor();
  await app.as(key).get(WEBHOOK).expect(404);
  await page.context().close();
});

it('a project is created, renamed and deleted on the page of settings', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/settings');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New project' }).click();
  await dialog.getByLabel('Name').fill('Old name');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Rename Old name' }).click();
  await dialog.getByLabel('Name').fill('New name');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('strong').getByText('New name').waitFor();
  expect(await get('/api/o/demo/p/old-name/')).toMatchObject({ name: 'New name' });

  await page.getByRole('button', { name: 'Delete Shop' }).click();
  await dialog.getByLabel('Type Shop to confirm').fill('Shop');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('alert').getByText('web').first().waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Delete New name' }).click();
  await dialog.getByLabel('Type New name to confirm').fill('New name');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Project New name', { exact: true }).waitFor({ state: 'detached' });
  await app.as(key).get('/api/o/demo/p/old-name/').expect(404);
  await page.context().close();
});

it('a key without organization:write, or of one project, only reads the settings', async () => {
  const readers = [
    await app.key({ org: 'demo', permissions: ['organization:read'] }),
    await app.key({ org: 'demo', project: 'shop' }),
  ];
  for (const reader of readers) {
    const { page, complaints } = await signIn(browser, app, reader);
    await open(page, app, 'o/demo/settings');
    const region = section(page, 'Time and language');
    expect(await region.getByLabel('Time zone').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Delete …|New project|Delete Shop)/ }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});

it('an operator creates an organization, changes its name and its quotas, and deletes it', async () => {
  const { page, complaints } = await signIn(browser, app, operator);
  await open(page, app, 'o/demo');
  await page.getByRole('link', { name: 'All organizations' }).click();
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
  await page.getByRole('button', { name: 'New organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Tea & Co');
  expect(await dialog.getByLabel('Slug').inputValue()).toBe('tea-co');
  await dialog.getByLabel('Slug').fill('demo');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel('Slug').fill('tea-co');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/o/tea-co');

  await open(page, app, 'o/tea-co/settings');
  const about = section(page, 'Organization');
  await about.getByLabel('Name').fill('Tea Ltd');
  await about.getByRole('button', { name: 'Save' }).click();
  await about.getByText('Saved.').waitFor();
  const quotas = section(page, 'Quotas');
  await quotas.getByLabel('At most: Schedules').fill('0');
  await quotas.getByLabel('At most: Layouts and partials').fill('7');
  expect(
    await quotas
      .getByLabel('At most: Schedules')
      .evaluate((input) => (input as unknown as { validity: { valid: boolean } }).validity.valid),
  ).toBe(false);
  await quotas.getByLabel('At most: Schedules').fill('99999999');
  await quotas.getByRole('button', { name: 'Save' }).click();
  await quotas.locator('[data-field="schedules"] .error').first().waitFor();
  await quotas.getByLabel('At most: Schedules').fill('3');
  await quotas.getByRole('button', { name: 'Save' }).click();
  await quotas.getByText('Saved.').waitFor();
  await quotas.getByText('0 of 3').waitFor();
  for (const [size, scheme] of [[PHONE, 'dark'] as const, [{ width: 1024, height: 768 }, 'light'] as const]) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme });
    expect([await violationsOf(page), await isWiderThanWindow(page)]).toEqual([[], false]);
  }

  await page.getByRole('button', { name: 'Delete …' }).click();
  await dialog.getByLabel('Type Tea Ltd to confirm').fill('Tea Ltd');
  await dialog.getByRole('button', { name: 'Delete the organization' }).click();
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
  await until(5000, async () => (await page.getByText('tea-co').count()) === 0);
  await app.as(operator).get('/api/o/tea-co/').expect(404);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a key of one organization is offered no other, and no deletion', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/settings');
  expect(await page.getByRole('link', { name: 'All organizations' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete …' }).count()).toBe(0);
  const name = section(page, 'Organization').getByLabel('Name');
  expect(await name.isDisabled()).toBe(true);
  // Quotas are shown, and not changed.
  await section(page, 'Quotas').getByText('Triggers per second').waitFor();
  expect(await section(page, 'Quotas').getByRole('spinbutton').count()).toBe(0);
  await page.context().close();
});
