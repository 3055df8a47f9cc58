import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';
import { png } from '../support/image.js';
import { until } from '../support/until.js';

const SETTINGS = '/api/o/demo/settings/';
const BRAND = 'o/demo/brand';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const get = async (path: string) => (await app.as(key).get(path).expect(200)).body as Record<string, unknown>;
const picture = async (page: Page, name: string) => {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
};
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Logo', { exact: true }).setInputFiles({ name, mimeType, buffer });

it('the brand is shown before it is saved, saved, and written to the audit log', async () => {
  const none = { color: null, logo: null, address: null, links: null, page_texts: null };
  await app.as(key).patch(SETTINGS).send(none).expect(200);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/layouts');
  await page.getByRole('link', { name: 'Brand', exact: true }).click();
  await page.getByRole('heading', { name: 'Brand', level: 1 }).waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);

  await choose(page, 'logo.png', 'image/png', png(480, 96, 40));
  await box(page, 'Color').fill('#ffe14d');
  await box(page, 'Address line').fill('Tea Ltd, Main Street 1');
  await page.getByRole('button', { name: 'Add a link' }).click();
  await box(page, 'Label 1').fill('Help');
  await box(page, 'Address 1').fill('https://tea.test/help');
  await page.getByRole('button', { name: 'Add a text' }).click();
  await page.getByRole('combobox', { name: 'Language 1' }).selectOption({ label: 'German' });
  await box(page, 'Name of the text 1').fill('inbox_titel');
  await box(page, 'Text 1').fill('Post');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Tea Ltd, Main Street 1').first().waitFor();
  await preview.getByRole('img').first().waitFor();
  // Yellow text cannot be read on white.
  await preview.getByText(/^Light: shown as #/).waitFor();
  for (const [name, size] of [['desktop', { width: 1440, height: 900 }] as const, ['phone', PHONE] as const]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([name, colorScheme, await violationsOf(page), await isWiderThanWindow(page)]).toEqual([
        ...[name, colorScheme],
        ...[[], false],
      ]);
      await picture(page, `brand-${name}-${colorScheme}`);
    }
  }

  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await page.getByRole('alert').getByText('did you mean inbox_title').first().waitFor();
  expect(await get(SETTINGS)).toMatchObject({ color: null, logo: null });
  await box(page, 'Name of the text 1').fill('inbox_title');
  await save.click();
  await page.getByText('Saved.').waitFor();
  expect(await get(SETTINGS)).toMatchObject({
    color: '#ffe14d',
    address: 'Tea Ltd, Main Street 1',
    links: [{ label: 'Help', url: 'https://tea.test/help' }],
    logo: { content_type: 'image/png', width: 240, height: 48 },
    page_texts: { de: { inbox_title: 'Post' } },
  });
  // Served by the service now.
  await page.locator('.brand-logo img[src*="/logos/demo/"]').waitFor();
  const audit = (await get('/api/o/demo/audit/?order=desc&limit=5')) as unknown as { noun: string; changes: object }[];
  expect(audit.find(({ noun }) => noun === 'organization')?.changes).toHaveProperty('color');

  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await page.getByRole('button', { name: 'Remove Links 1' }).click();
  await save.click();
  await page.getByText('Saved.').waitFor();
  expect(await get(SETTINGS)).toMatchObject({ logo: null, links: null, color: '#ffe14d' });
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  await page.context().close();
});

it.each([
  ['an SVG image', 'logo.svg', 'image/svg+xml', Buffer.from('<svg/>'), /logo\.svg is not a PNG, JPEG or WebP/],
  ['a large file', 'logo.png', 'image/png', Buffer.alloc(300 * 1024), /logo\.png has 300 KB/],
])('the brand says at once why %s cannot be a logo', async (_, name, type, bytes, sentence) => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, BRAND);
  await choose(page, name, type, bytes);
  await page.getByRole('alert').getByText(sentence).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.context().close();
});

it('the brand shows what somebody else has changed meanwhile', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, BRAND);
  await box(page, 'Address line').fill('Mine');
  await app.as(key).patch(SETTINGS).send({ address: 'Theirs' }).expect(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Theirs').first().waitFor();
  await page.getByRole('button', { name: 'Discard mine and reload' }).click();
  // Not `waitForFunction`, which the page's Content-Security-Policy would refuse.
  await until(5000, async () => (await box(page, 'Address line').inputValue()) === 'Theirs');
  await page.context().close();
});

it('the brand can only be read without organization:write', async () => {
  const reader = await app.key({ org: 'demo', permissions: ['organization:read'] });
  const { page } = await signIn(browser, app, reader);
  await open(page, app, BRAND);
  await box(page, 'Color').waitFor();
  expect(await box(page, 'Color').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  await page.context().close();
});
