import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import {
  PHONE,
  isWiderThanWindow,
  open,
  settled,
  signIn,
  useHistory,
  violationsOf,
  useNoDrafts,
} from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useHistory(() => app);
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

const EVENT = '/api/o/demo/p/shop/a/web/e/order-paid/';
const RULE = 'o/demo/events/shop/web/order-paid?rule=1';

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { Authorization: `Key ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
};

/** Counts what a person does from here on: clicks, and keys apart from the text that they type. */
async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; keys: string[] }>> {
  await page.evaluate(`
    window.effort = { clicks: 0, keys: [] };
    addEventListener('pointerdown', () => window.effort.clicks++, true);
    addEventListener('keydown', ({ key }) => key.length > 1 && window.effort.keys.push(key), true);
  `);
  return () => page.evaluate('window.effort');
}

const markdown = (page: Page) => page.getByRole('textbox', { name: 'Markdown' });
const message = (page: Page) => page.frameLocator('.preview .message-frame').locator('body');

async function typeAtEnd(page: Page, typed: string): Promise<void> {
  await markdown(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(typed);
}

it('a template is changed safely in 7 clicks: edit, preview, simulate, send only to me, publish', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events');
  const effort = await countEffort(page);
  await page.getByRole('link', { name: 'Order paid' }).click();
  await page.getByRole('link', { name: 'Edit Tell the staff' }).click();
  await typeAtEnd(page, ' Well done.');
  await message(page)
    .getByText(/ brought \d+ EUR\. Well done\./)
    .waitFor();
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('This notification would send 1 message.').waitFor();
  await page.getByText('Counts and messages are those of your edits, which are not published.').waitFor();
  const samples = page.getByRole('list', { name: 'The first messages' });
  await samples.getByText('ann@example.com').waitFor();
  await samples.locator('details').evaluate((details: { open: boolean }) => (details.open = true));
  await page.frameLocator('.samples .message-frame').getByText('brought 80 EUR. Well done.').waitFor();
  await page.getByRole('button', { name: 'Send only to me' }).click();
  await page.keyboard.type('ann@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Triggered for you alone').waitFor();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Changes of Order paid: Markdown for Inbox.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  const { clicks, keys } = await effort();
  expect(clicks).toBeLessThanOrEqual(7);
  expect(keys).toEqual(['Control', 'End', 'Enter']);
  const rule = await call<{ templates: { markdown: string }[] }>('GET', `${EVENT}n/1/`);
  expect(rule.templates[0]!.markdown).toMatch(/EUR\. Well done\.$/);
  const [latest] = await call<{ id: string }[]>('GET', `${EVENT}o/?limit=1`);
  const occurrence = await call<{ options: object }>('GET', `/api/o/demo/occurrences/${latest!.id}/`);
  expect(occurrence.options).toMatchObject({ limit_to: ['ann@example.com'] });
  await open(page, app, 'o/demo/events/shop/web/order-paid?tab=history');
  await page.getByRole('group', { name: 'Markdown for Inbox' }).getByText('EUR. Well done.').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('an earlier version of a notification is restored from the history, after showing what changes', async () => {
  const rules = `${EVENT}n/`;
  const said = { name: 'Tell the office', when: 'total > `5`', distribution_lists: ['Staff'] };
  const templates = [
    { channel: 'inbox', subject: 'Paid', markdown: 'Hello', translations: { de: { markdown: 'Hallo' } } },
    { channel: 'mail', subject: 'Paid', html: '<p>Hi {{ user.first_name }}</p>' },
  ];
  const { id } = await call<{ id: number }>('POST', rules, { ...said, templates });
  const first = await call<object>('GET', `${rules}${id}/`);
  await call('PATCH', `${rules}${id}/`, { when: 'total > `50`', templates: [templates[0]] });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/order-paid?tab=history');
  const of = (change: string) =>
    page
      .locator('details')
      .filter({ hasText: `${change} Tell the office` })
      .first();
  expect(
    await of('Changed')
      .getByRole('button', { name: /^Restore/ })
      .count(),
  ).toBe(0); // it is in force
  await of('Created').locator('summary').click();
  await of('Created').getByRole('button', { name: 'Restore this version …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Changes: Condition, .*HTML for Mail/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/restore.png` });
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/restore-phone.png` });
  // Somebody else is faster: the second does not win without knowing.
  await page.route('**/n/*/', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await call('PATCH', `${rules}${id}/`, { when: 'total > `60`' });
  await page.unroute('**/n/*/');
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.or(page.getByText('Changed by somebody else meanwhile')).first().waitFor();
  const overwrite = dialog.getByRole('button', { name: 'Do it anyway' });
  await overwrite.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await call('GET', `${rules}${id}/`)).toEqual(first);
  await call('DELETE', `${rules}${id}/`);
  await page.reload();
  await of('Deleted').getByRole('button', { name: 'Restore what was deleted …' }).click();
  await dialog.getByText('It is created again').waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const all = await call<{ id: number; name: string }[]>('GET', rules);
  const again = all.find(({ name }) => name === said.name)!;
  expect({ ...(await call<object>('GET', `${rules}${again.id}/`)), id }).toEqual(first);
  await call('DELETE', `${rules}${again.id}/`);
  expect(complaints.filter((complaint) => !/412|ERR_FAILED/.test(complaint))).toEqual([]);
  await page.context().close();
});

it('edits are never lost, faults are shown at their place, and the keyboard leaves the editor', async () => {
  const { page } = await signIn(browser, app, key);
  page.on('dialog', (dialog) => void dialog.accept());
  await open(page, app, RULE);
  await typeAtEnd(page, ' {{ order | nofilter }}');
  await page.getByRole('alert').getByText('undefined filter: nofilter, line:1').waitFor();
  expect(await page.locator('.cm-fault').innerText()).toMatch(/^\{\{ order \| nofilter/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest(".cm-editor") === null')).toBe(true);
  await page.getByRole('link', { name: 'Who and when' }).click();
  await page.getByRole('group', { name: 'Sent only if' }).waitFor();
  await page.getByRole('link', { name: 'Inbox', exact: true }).click();
  expect(await markdown(page).innerText()).toContain('nofilter');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('notification.templates.inbox.markdown', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await page.goBack();
  await page.getByText('Not published').waitFor();
  await markdown(page).getByText('nofilter').waitFor();
  await page.reload();
  await markdown(page).getByText('nofilter').waitFor();
  await page.getByRole('button', { name: 'Discard the draft …' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('Not published').waitFor({ state: 'detached' });
  await open(page, app, RULE);
  await markdown(page).waitFor();
  expect(await page.getByText('Not published').count()).toBe(0);
  await page.context().close();
});

it('a simulation counts the people of the edited rule, and says when it is of an earlier edit', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, `${RULE}&part=who`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Tell many');
  await page.getByRole('button', { name: 'Write it as JMESPath' }).click();
  await page.getByLabel('Condition').fill('total > `1000`');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('The condition is false for these data: nobody would get it.').waitFor();
  await page.getByText('Counts and messages are those of your edits').waitFor();
  await page.getByLabel('Condition').fill('total > `10`');
  await page.getByText('You have edited the notification since.').waitFor();
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('This notification would send 1 message.').waitFor();
  await page.getByText('Counts and messages are those of your edits').waitFor();
  expect(await call('GET', `${EVENT}n/1/`)).toMatchObject({ name: 'Tell the staff', when: null });
  await page.context().close();
});

it('the tabs, the editor and the dialogs of an event are sound', async () => {
  const { page, complaints } = await signIn(browser, app, key, { viewport: PHONE });
  const found: string[] = [];
  async function look(name: string) {
    await settled(page);
    found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`));
    if (await isWiderThanWindow(page)) found.push(`${name} is wider than the window`);
  }
  for (const path of ['?tab=context', '?tab=history', '?tab=settings', '?rule=1', '?rule=1&part=who', '?rule=new']) {
    await open(page, app, `o/demo/events/shop/web/order-paid${path}`);
    await look(path);
  }
  await open(page, app, 'o/demo/events/shop/web/order-paid');
  await page.getByRole('button', { name: 'Trigger …' }).click();
  await page.getByRole('group', { name: 'Context' }).getByRole('textbox', { name: 'order', exact: true }).waitFor();
  await page.getByRole('button', { name: 'What would it send?' }).click();
  await page.getByText(/messages? to \d+ (user|users)/).waitFor();
  await look('trigger');
  expect([...found, ...complaints]).toEqual([]);
  await page.context().close();
});

it('the HTML of a message cannot run, load, lead away or change anything', async () => {
  let hits = 0;
  const evil = createServer((_request, response) => {
    hits++;
    response.end();
  });
  await new Promise<void>((done) => void evil.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
  const run = `parent.hacked = top.hacked = window.hacked = 1; location = '${at}/event'`;
  const html = `
    <base href="${at}/"><meta http-equiv="refresh" content="0; url=${at}/refresh">
    <link rel="stylesheet" href="${at}/link.css"><style>@import url(${at}/style.css); body { color: red; background: url(${at}/bg) }
      .button, h1 { display: none !important }</style>
    <script>${run}</script><script src="${at}/script.js"></script>
    <img src="${at}/pixel" onerror="${run}"><svg onload="${run}"><a xlink:href="javascript:${run}">svg link</a></svg>
    <iframe src="${at}/frame"></iframe><iframe srcdoc="<script>${run}</script>"></iframe><object data="${at}/object"></object>
    <video src="${at}/video" onerror="${run}"></video><details open ontoggle="${run}">d</details>
    <a id="js" href="javascript:${run}">script link</a> <a id="away" href="${at}/away" target="_top" ping="${at}/ping">plain link</a>
    <form action="${at}/form" method="post" target="_top"><input name="x" autofocus onfocus="${run}"><button id="send">send</button></form>
    <button id="handler" onclick="${run}">press</button> <p>The end</p>`;
  const subject = `<img src=${at}/subject onerror="${run}"> <script>${run}</script>`;
  await call('PATCH', `${EVENT}n/2/`, { templates: [{ channel: 'inbox', subject, html }] });
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE.replace('rule=1', 'rule=2'));
  await message(page).getByText('The end').waitFor();
  const before = page.url();
  for (const id of ['js', 'away', 'send', 'handler']) await message(page).locator(`#${id}`).click();
  await message(page).locator('input').focus();
  // A place that leads away would have done so before this answer.
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText('Nothing was sent.').waitFor();
  expect(page.url()).toBe(before);
  expect(await page.evaluate('[window.hacked, getComputedStyle(document.querySelector("h1")).display]')).toEqual([
    undefined,
    'block',
  ]);
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  expect(frames.map((frame) => new URL(frame.url()).pathname)).toEqual(frames.map(() => '/console/message'));
  expect(await message(page).getByText('The end').isVisible()).toBe(true);
  expect(await message(page).locator('meta, base, link, iframe, object, script, [href], [ping]').count()).toBe(0);
  expect(await page.locator('.message-subject').innerText()).toContain('<script>');
  expect(page.context().pages()).toHaveLength(1);
  expect(hits).toBe(0);
  await page.context().close();
  await new Promise((done) => evil.close(done));
});

it('the thread of a notification is a field of the context', async () => {
  const { id } = await call<{ id: number }>('POST', `${EVENT}n/`, {
    ...{ name: 'In threads', distribution_lists: ['Staff'], templates: [{ channel: 'mail', text: 'Hello' }] },
  });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, `o/demo/events/shop/web/order-paid?rule=${id}&part=who`);
  await page.getByLabel('Thread').fill('order.id');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Changes of Order paid: Thread.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published. It counts for').waitFor();
  expect((await call<{ thread: string }>('GET', `${EVENT}n/${id}/`)).thread).toBe('order.id');
  expect(complaints).toEqual([]);
  await call('DELETE', `${EVENT}n/${id}/`);
  await page.context().close();
});

it('steps of a notification are made of cards, without JSON, and simulated as a time line', async () => {
  const templates = ['inbox', 'mail'].map((channel) => ({ channel, subject: 'Paid', text: 'Hello' }));
  const { id } = await call<{ id: number }>('POST', `${EVENT}n/`, {
    ...{ name: 'Follow up', distribution_lists: ['Staff'], templates },
  });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, `o/demo/events/shop/web/order-paid?rule=${id}&part=who`);
  await page.getByRole('button', { name: 'Use one channel after another' }).click();
  const second = page.getByRole('listitem', { name: 'Step 2' });
  await second.getByLabel('After').fill('30m');
  await second.getByLabel('Unless a message before').selectOption('acknowledged');
  await second.getByLabel('Repeat it until then').check();
  await second.getByLabel('Every').fill('20m');
  await second.getByLabel('Repetitions, at most').fill('1');
  await second.getByLabel('Who').selectOption('other');
  // Whom it means is said at the field, and who that is.
  await second.getByText('must name a list, or have an audience').waitFor();
  const audience = second.getByRole('group', { name: 'Audience' });
  await audience.getByRole('button', { name: 'Add a row' }).click();
  await audience.getByLabel('Field').fill('email');
  await audience.getByLabel('Value').fill('x@example.com');
  await audience.getByText('Nobody is in it.').waitFor();
  const unreached = 'Nobody is meant by step 2 over mail: it has no recipients.';
  await second.getByText(unreached).waitFor();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('dialog').getByText(unreached).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await second.getByLabel('Staff').check();
  await audience.getByLabel('Value').fill('ann@example.com');
  await audience.getByText('1 user is in it. ann@example.com.').waitFor();
  await second.getByText(unreached).waitFor({ state: 'detached' });
  const first = page.getByRole('listitem', { name: 'Step 1' });
  await first.getByLabel('Again').check();
  await first.getByLabel('Until a message').selectOption('read');
  await first.getByLabel('Every').fill('');
  await first.getByRole('alert').waitFor();
  await first.getByLabel('Every').fill('10m');
  await first.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByLabel('An acknowledgement lapses').check();
  await picture(page, 'steps');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'steps-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByText(/mail to \d+ users?, unless somebody has acknowledged it by then\.$/).waitFor();
  await page.getByText(/mail again \(1 of 1\) to those for whom nobody has acknowledged it by then\.$/).waitFor();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Changes of Order paid: Steps, Acknowledged by.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published. It counts for').waitFor();
  const rule = await call<{ steps: object[]; acknowledge: object }>('GET', `${EVENT}n/${id}/`);
  const [repeat, to] = [
    { every: '20m', times: 1 },
    { distribution_lists: ['Staff'], audience: { field: 'email', is: 'ann@example.com' } },
  ];
  expect(rule.steps).toEqual([
    { channels: ['inbox'], unless: 'read', repeat: { every: '10m', times: 4 } },
    { channels: ['mail'], after: '30m', unless: 'acknowledged', repeat, to },
  ]);
  expect(rule.acknowledge).toEqual({ by: 'anyone', for: '4h' });
  // A channel moves to the step that it is chosen for, and a notification of one step has none.
  await page.getByRole('listitem', { name: 'Step 1' }).getByLabel('mail').check();
  expect(await second.getByLabel('mail').isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Remove step 2' }).click();
  await page.getByText('All channels are used at once.').waitFor();
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(complaints).toEqual([]);
  await call('DELETE', `${EVENT}n/${id}/`);
  await page.context().close();
});
