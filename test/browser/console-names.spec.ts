import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';
import { until } from '../support/until.js';

const WEB = '/api/o/demo/p/shop/a/web/e/';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

async function call<Answer>(method: 'get' | 'post' | 'patch', path: string, body?: object): Promise<Answer> {
  const answer = await app.as(key)[method](path).send(body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Answer;
}

async function look(page: Page, name: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await isWiderThanWindow(page)).toBe(false);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}

/** As `look`, on a desktop in the dark and on a phone. */
async function lookAll(page: Page, name: string): Promise<void> {
  await look(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, `${name}-dark`);
  await page.setViewportSize(PHONE);
  await look(page, `${name}-phone`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 860 });
}

it('what can be stopped is called by its name', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await page.keyboard.press('x');
  const choice = page.getByRole('dialog').getByLabel('What to stop');
  const other = page.getByRole('dialog').getByLabel('Something else …');
  await choice.or(other).first().waitFor();
  // The occurrence of the demo may still be on its way.
  if ((await other.count()) > 0) await other.check();
  const options = choice.getByRole('option');
  await until(10_000, async () => (await options.allInnerTexts()).includes('Shop / Web shop / Order paid'));
  expect(await options.allInnerTexts()).toEqual(expect.arrayContaining(['Warehouse', 'Shop / Log', 'Shop / Web shop']));
  await page.keyboard.press('Escape');

  await open(page, app, 'o/demo/events/shop/web/order-paid');
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog');
  for (const name of ['Event Order paid', 'Application Web shop', 'Project Shop'])
    await dialog.getByLabel(name, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Switch it off' }).click();
  await dialog.getByText('Switched off: Event Order paid').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await open(page, app, 'o/demo');
  await page.getByRole('link', { name: 'Order paid', exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Switch on Order paid' }).click();
  await dialog.getByRole('heading', { name: 'Switch on Order paid' }).waitFor();
  await look(page, 'switch-on');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a new event, a preview and a notification that is published name what they belong to', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events');
  await page.getByRole('button', { name: 'New event in Web shop' }).click();
  await page.getByRole('dialog').getByText('Shop / Web shop').waitFor();
  await page.keyboard.press('Escape');
  await open(page, app, 'o/demo/events/shop/web/order-paid?rule=1&channel=inbox');
  await page.getByRole('heading', { name: 'Preview for Inbox' }).waitFor();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Paid: {{ order }}');
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('dialog').getByText('Changes of Order paid: Subject for Inbox.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Discard the draft …' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('Not published').waitFor({ state: 'detached' });
  await open(page, app, 'o/demo/events/shop/web/order-paid?tab=context');
  await page
    .getByText(/^Tell the staff: .* for Inbox$/)
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a trigger says what it sends, now and in later steps, and what becomes of it', async () => {
  await call('post', WEB, { slug: 'incident', name: 'Incident' });
  await call('post', `${WEB}incident/n/`, {
    ...{ name: 'Something is down', distribution_lists: ['Staff', 'Management'], thread: 'incident' },
    steps: [
      { channels: ['inbox'] },
      { channels: ['mail'], after: '10m', repeat: { every: '20m', times: 2 }, unless: 'read' },
    ],
    templates: ['inbox', 'mail'].map((channel) => ({ channel, subject: 'Down', text: '{{ incident }} is down' })),
  });
  await call('post', WEB, { slug: 'incident-over', name: 'Incident is over', resolves_event: 'incident' });
  const { page, complaints } = await signIn(browser, app, key);
  const dialog = page.getByRole('dialog');
  await open(page, app, 'o/demo/events/shop/web/incident');
  await page.getByRole('button', { name: 'Trigger …' }).click();
  await dialog.getByRole('heading', { name: 'Trigger Incident' }).waitFor();
  await dialog.getByRole('textbox', { name: 'incident', exact: true }).fill('INC-42');
  await dialog.getByRole('button', { name: 'What would it send?' }).click();
  await dialog.getByText('2 messages to 2 users, and up to 6 more in later steps').waitFor();
  expect(await dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()).toBe(4);
  await lookAll(page, 'would-send');
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
  await dialog.getByRole('heading', { name: 'Incident was triggered' }).waitFor();
  await dialog.getByText(/^2 messages go out, to 2 users\. \d sent/).waitFor();
  await dialog.getByText(/^The next step follows at /).waitFor();
  await lookAll(page, 'triggered');
  await dialog.getByRole('link', { name: 'See what becomes of it' }).click();
  await page.waitForURL(/\/occurrences\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { name: 'Incident' }).first().waitFor();

  await open(page, app, 'o/demo/events/shop/web/incident-over');
  await page.getByRole('button', { name: 'Trigger …' }).click();
  await dialog.getByRole('textbox', { name: 'incident', exact: true }).fill('INC-42');
  await dialog.getByRole('button', { name: 'What would it send?' }).click();
  await dialog.getByText('A trigger would end the open steps of 1 occurrence of Incident about INC-42.').waitFor();
  await lookAll(page, 'would-end');
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click();
  await dialog.getByText('It has ended the open steps of earlier occurrences.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a user is found by a first name: for a preview and as a member of a list', async () => {
  const { id } = await call<{ id: number }>('post', '/api/o/demo/p/shop/d/', { name: 'Day shift' });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/order-paid?rule=1&channel=inbox');
  const shown = page.getByRole('region', { name: 'Preview' });
  await shown.getByLabel('Seen as').fill('Ann');
  await shown.getByText('Shown for Ann Lee.').waitFor();
  await page.getByRole('option', { name: /Ann Lee/ }).waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/seen-as.png` });
  await page.keyboard.press('Enter');
  expect(await shown.getByLabel('Seen as').inputValue()).toBe('ann@example.com');
  expect(await violationsOf(page)).toEqual([]);
  await shown.getByLabel('Seen as').fill('Nobody');
  await shown.getByText('No user is called Nobody: shown for Sam Sample.').waitFor();

  await open(page, app, `o/demo/lists/shop/${id}`);
  await page.getByRole('button', { name: 'Add members' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User', { exact: true }).fill('ann');
  await page.getByRole('option', { name: /Ann Lee/ }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove ann@example.com' }).waitFor();
  await dialog.getByLabel('User', { exact: true }).fill('Bo');
  await page.getByRole('option', { name: /Bob Ray/ }).waitFor();
  // Escape closes the list of users and leaves the dialog.
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  await dialog.getByLabel('User', { exact: true }).fill('Bob');
  await page.getByRole('option', { name: /Bob Ray/ }).click();
  await dialog.getByLabel('E-mail addresses').fill('cleo@example.com');
  await lookAll(page, 'add-members');
  await dialog.getByRole('button', { name: 'Add 3 members' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const members = await call<{ user: string }[]>('get', `/api/o/demo/p/shop/d/${id}/m/`);
  expect(members.map(({ user }) => user).toSorted()).toEqual([
    'ann@example.com',
    'bob@example.com',
    'cleo@example.com',
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
