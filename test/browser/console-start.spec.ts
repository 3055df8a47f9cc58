import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { englishOn } from '../support/console-language.js';
import { DESKTOP, PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';

let app: TestApp;
let operator: string;
/** Of an organization in which nothing is ever created. */
let empty: string | undefined;
let browser: Browser;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  operator = await app.key();
});
useSink(SmtpSink.start, (started) => (sink = started));
useBrowser((started) => (browser = started));

const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
};
const steps = (page: Page) => page.getByRole('region', { name: /^(First steps|The first message has arrived)$/ });
const step = (page: Page, name: string) => steps(page).getByRole('listitem').filter({ hasText: name });
/** Until a step is ticked, by what the API says. */
const ticked = (page: Page, name: string) => step(page, name).getByText('(done)').waitFor();
const toNow = (page: Page) => page.getByRole('link', { name: 'Now', exact: true }).click();

async function create(page: Page, button: string, name: string): Promise<void> {
  await steps(page).getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
}

async function newOrganization(slug: string): Promise<string> {
  await app.as(operator).post('/api/o/').send({ slug, name: 'Tea Shop' }).expect(201);
  return app.key({ org: slug });
}

it('an empty organization leads to its first received message, in the console alone', async () => {
  const { page, complaints } = await signIn(browser, app, operator);
  await open(page, app, '');
  await page.getByRole('button', { name: 'New organization' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Tea Shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await steps(page).getByText('0 of 7 done').waitFor();
  expect(await page.getByText('All is well').count()).toBe(0);
  await picture(page, 'start');

  await create(page, 'New project', 'Shop');
  await ticked(page, 'Create a project');
  await create(page, 'New application', 'Web');
  await create(page, 'New event', 'Order paid');
  await ticked(page, 'Create an application and an event');

  await steps(page).getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Mail');
  await dialog.getByLabel('SMTP host').fill('127.0.0.1');
  await dialog.getByLabel(/^Port/).fill(String(sink.port));
  await dialog.getByLabel('From', { exact: true }).fill('Tea Shop <shop@tea.test>');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const test = page.getByRole('form', { name: 'Test message' });
  await test.getByLabel(/^To/).fill('me@tea.test');
  await test.getByRole('button').first().click();
  await test.getByText('The provider accepted it.').waitFor();
  await sink.until(({ mails }) => mails.length === 1);
  await toNow(page);
  await ticked(page, 'Set up a channel');

  await steps(page).getByRole('button', { name: 'New user' }).click();
  await dialog.getByLabel('E-mail').fill('ann@tea.test');
  await dialog.getByLabel('First name').fill('Ann');
  await dialog.getByRole('button', { name: 'New user' }).click();
  await ticked(page, 'Add a user');
  await steps(page).getByText('4 of 7 done').waitFor();

  await steps(page).getByRole('link', { name: 'New notification' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Thank you');
  await page.getByLabel('To', { exact: true }).selectOption('The recipients of the trigger');
  await page.getByLabel('+ Add a channel').selectOption('Mail');
  await page.getByRole('textbox', { name: 'Subject', exact: true }).click();
  await page.keyboard.type('Thank you, {{ user.first_name }}');
  await page.getByRole('textbox', { name: 'Markdown', exact: true }).click();
  await page.keyboard.type('Your tea is on its way.');
  await page.getByRole('button', { name: 'Publish …' }).click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.waitForURL(/rule=\d+$/);
  await toNow(page);
  await ticked(page, 'Write the first notification');
  await picture(page, 'start-last');

  await steps(page).getByRole('button', { name: 'Trigger …' }).click();
  await dialog.getByLabel('Recipients').fill('ann@tea.test');
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await sink.until(({ mails }) => mails.length === 2);
  expect(sink.mails[1]!.envelope.to).toEqual(['ann@tea.test']);
  expect(String(sink.mails[1]!.raw)).toContain('Subject: Thank you, Ann');
  await ticked(page, 'Receive the message');
  await steps(page).getByText('7 of 7 done').waitFor();
  await picture(page, 'start-done');
  expect(await violationsOf(page)).toEqual([]);
  await steps(page).getByRole('button', { name: 'Finish' }).click();
  await page.getByText('All is well').waitFor();
  await page.reload();
  await page.getByText('All is well').waitFor();
  expect(await steps(page).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the first steps are put away and come back, and an empty organization is never called well', async () => {
  const key = await newOrganization('tea-hidden');
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/tea-hidden');
  await steps(page).getByRole('button', { name: 'Hide these steps' }).click();
  await page.getByRole('heading', { name: 'Nothing was triggered yet' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing was triggered yet' }).waitFor();
  expect(await page.getByText('All is well').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the first steps' }).click();
  await steps(page).getByText('0 of 7 done').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('who may only look sees the steps without buttons', async () => {
  await newOrganization('tea-viewer');
  const permissions = ['organization:read', 'event:list', 'occurrence:read'] as const;
  const { page, complaints } = await signIn(browser, app, await app.key({ org: 'tea-viewer', permissions }));
  await open(page, app, 'o/tea-viewer');
  await steps(page).getByText('0 of 7 done').waitFor();
  expect(await steps(page).getByRole('button').allInnerTexts()).toEqual(['Hide these steps']);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it.each([
  ['occurrences', 'Nothing was triggered yet', 'Choose an event'],
  ['figures', 'No messages in this period', 'Show the last 365 days'],
  ['people', 'There are no users yet', 'New user'],
  ['events', 'There is no project yet', 'New project'],
  ['channels', 'There is no channel yet', 'New channel'],
  ['lists', 'There is no project yet', 'Go to Events'],
  ['categories', 'There is no project yet', 'Go to Events'],
  ['suppressions', 'No address is suppressed', 'Suppress an address'],
  ['audit?actor=nobody', 'No change matches the filters', 'Clear the filters'],
])('the empty page %s says what it is for and offers the next step, without code', async (path, title, next) => {
  if (!empty) empty = await newOrganization('tea-empty');
  const { page, complaints } = await signIn(browser, app, empty);
  await open(page, app, `o/tea-empty/${path}`);
  const card = page.locator('.empty');
  await card.getByRole('heading', { name: title }).waitFor();
  expect((await card.locator('p').innerText()).length).toBeGreaterThan(30);
  await card
    .getByRole('button', { name: next })
    .or(card.getByRole('link', { name: next }))
    .waitFor();
  expect(await page.locator('pre').count()).toBe(0);
  await picture(page, `empty-${path.replace(/\?.*/, '')}`);
  await page.setViewportSize(PHONE);
  expect([await violationsOf(page), await isWiderThanWindow(page)]).toEqual([[], false]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the first steps fit on a phone, in German, and in the dark', async () => {
  const key = await newOrganization('tea-german');
  const { page, complaints } = await signIn(browser, app, key, { locale: 'de-DE' });
  await open(page, app, 'o/tea-german');
  await page.getByRole('heading', { name: 'Erste Schritte' }).waitFor();
  await settled(page);
  expect(await englishOn(page)).toEqual([]);
  for (const [size, colorScheme] of [[DESKTOP, 'light'] as const, [PHONE, 'dark'] as const]) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    expect([await violationsOf(page), await isWiderThanWindow(page)]).toEqual([[], false]);
    await picture(page, `start-german-${colorScheme}`);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});
