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

const NOTIFICATION = '/api/o/demo/p/shop/a/web/e/order-paid/n/1/';

const get = async (path: string) => (await app.as(key).get(path)).body as Record<string, unknown>;
const put = (path: string, body: object) => app.as(key).put(path).send(body).expect(200);
const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};

async function typeInto(page: Page, name: string, typed: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(typed);
}

it('a layout is created, shown around a sample, and published', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/layouts');
  await page.getByRole('row', { name: /^default \(built in\)/ }).waitFor();
  await page.getByRole('button', { name: 'New layout or partial' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('plain');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'plain' }).waitFor();
  // It starts as the default layout.
  await page.frameLocator('.message-frame').getByText('arrives tomorrow').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'layout-new');
  await typeInto(page, 'HTML', '<h1>Tea shop</h1><main>{{ contents }}</main>');
  await page.getByRole('alert').getByText('must contain {{ content }}').waitFor();
  await typeInto(page, 'HTML', '<h1>Tea shop</h1><main>{{ content }}</main>');
  await page.frameLocator('.message-frame').getByRole('heading', { name: 'Tea shop' }).waitFor();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('No notification uses it').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  expect(await get('/api/o/demo/layouts/plain/')).toMatchObject({
    html: '<h1>Tea shop</h1><main>{{ content }}</main>',
  });
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  await page.context().close();
});

it('a layout is written in MJML, and what was typed as HTML is not lost before that is published', async () => {
  const { page } = await signIn(browser, app, key);
  await put('/api/o/demo/layouts/mail/', { html: '<h1>Old</h1>{{ content }}' });
  await open(page, app, 'o/demo/layouts/-/layout/mail');
  await page.getByRole('radio', { name: 'MJML' }).click();
  await page.frameLocator('.message-frame').getByText('arrives tomorrow').waitFor();
  await page.getByRole('radio', { name: 'HTML' }).click();
  await page.frameLocator('.message-frame').getByRole('heading', { name: 'Old' }).waitFor();
  await page.getByRole('radio', { name: 'MJML' }).click();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  expect(await get('/api/o/demo/layouts/mail/')).toMatchObject({ html: null, mjml: expect.stringMatching(/^<mjml>/) });
  await page.reload();
  await page.getByRole('textbox', { name: 'MJML', exact: true }).waitFor();
  await page.context().close();
});

it('a layout that somebody else turned into MJML is shown in MJML after one discards the own edits', async () => {
  const { page } = await signIn(browser, app, key);
  await put('/api/o/demo/layouts/turned/', { html: '<h1>Old</h1>{{ content }}' });
  await open(page, app, 'o/demo/layouts/-/layout/turned');
  await typeInto(page, 'HTML', '<h1>Mine</h1>{{ content }}');
  await page.frameLocator('.message-frame').getByRole('heading', { name: 'Mine' }).waitFor();
  const mjml = '<mjml><mj-body><mj-raw>Theirs</mj-raw><mj-raw>{{ content }}</mj-raw></mj-body></mjml>';
  await put('/api/o/demo/layouts/turned/', { html: null, mjml });
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Discard mine and reload' }).click();
  await page.getByRole('textbox', { name: 'MJML', exact: true }).getByText('Theirs').waitFor();
  // Nothing is left to show.
  await typeInto(page, 'MJML', ' ');
  await page.keyboard.press('Backspace');
  await page.locator('.message-frame').waitFor({ state: 'detached' });
  await page.context().close();
});

it('before a layout or a partial is published, the page says which notifications change', async () => {
  await put('/api/o/demo/partials/sign/', { html: '<p>Old sign</p>', text: 'Old sign' });
  await put('/api/o/demo/p/shop/layouts/around/', { html: "{{ content }}{% render 'sign' %}", text: '{{ content }}' });
  const { templates } = (await get(NOTIFICATION)) as { templates: object[] };
  const changed = templates.map((template) => ({ ...template, layout: 'around' }));
  await app.as(key).patch(NOTIFICATION).send({ templates: changed }).expect(200);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/layouts');
  await page.getByRole('row', { name: /^around Layout HTML, Text 1 template/ }).waitFor();
  await settled(page);
  await picture(page, 'layouts');
  await page.setViewportSize(PHONE);
  await picture(page, 'layouts-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'sign', exact: true }).click();
  await page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'Tell the staff' }).waitFor();
  const shown = page.getByRole('combobox', { name: 'Shown in' });
  await shown.selectOption({ label: 'Order paid: Tell the staff, Inbox' });
  await page.frameLocator('.message-frame').getByText(/A-\d+/).waitFor();
  await typeInto(page, 'HTML', '<p>New sign of {{ organization.name }}</p>');
  await page.frameLocator('.message-frame').getByText('New sign of').waitFor();
  await page.getByRole('button', { name: 'As published' }).click();
  await page.frameLocator('.message-frame').getByText('Old sign').waitFor();
  await page.getByRole('button', { name: 'As published' }).click();
  await page.frameLocator('.message-frame').getByText('New sign of').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'partial');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'partial-dark');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'partial-phone-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Publish …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This changes 1 notification.').waitFor();
  await dialog.getByRole('link', { name: 'Tell the staff' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'partial-publish');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a layout that is in use is not deleted, and one that is not is', async () => {
  await put('/api/o/demo/p/shop/layouts/unused/', { text: '{{ content }}' });
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/layouts/shop/layout/around');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Tell the staff' }).waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await get('/api/o/demo/p/shop/layouts/around/')).toMatchObject({ slug: 'around' });
  await open(page, app, 'o/demo/layouts/shop/layout/unused');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('No template uses it.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Layouts' }).waitFor();
  await app.as(key).get('/api/o/demo/p/shop/layouts/unused/').expect(404);
  await page.context().close();
});

it('the built-in layout is replaced by an own version, and comes back when that is deleted', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/layouts/-/layout/default');
  await page.getByText('This layout is built in.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await typeInto(page, 'HTML', '<main>{{ content }}</main>');
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  expect(await get('/api/o/demo/layouts/default/')).toMatchObject({ html: '<main>{{ content }}</main>' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /^default \(built in\)/ }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
