import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo, useSink } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, useNoDrafts, violationsOf } from '../support/console.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';

/** The webhook of the demo goes to 127.0.0.1, which is refused at once. */
const SINK = '127.0.0.2';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo), { OUTBOUND_ALLOW: `${SINK}/32` });
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

let sink: SmtpSink;
useSink(
  () => SmtpSink.start({ host: SINK }),
  (started) => (sink = started),
);

const EVENT = '/api/o/demo/p/shop/a/web/e/order-paid/';
const DRAFTS = `${EVENT}drafts/`;
const PAGE = 'o/demo/events/shop/web/order-paid';

interface Draft {
  draft: string;
  name: string;
  notification: { name: string; when: string | null };
}

async function call<Answer>(method: string, path: string, body?: object, as = key): Promise<Answer> {
  const headers = { Authorization: `Key ${as}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

const as = async (name: string) => signIn(browser, app, await app.key({ name, org: 'demo' }));
const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const drafts = () => call<Draft[]>('GET', DRAFTS);
const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};
async function sound(page: Page, name: string) {
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, name);
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, `${name}-phone`);
  await page.setViewportSize({ width: 1280, height: 860 });
}

it('what one types is a draft that others see, open and publish', async () => {
  const { page: ada, complaints } = await as('Ada');
  await open(ada, app, `${PAGE}?rule=1&part=who`);
  await nameOf(ada).fill('Tell all staff');
  await ada.getByText('Draft by Ada').waitFor();
  const { page: bea } = await as('Bea');
  await open(bea, app, PAGE);
  await bea.getByText('Draft by Ada').waitFor();
  await sound(bea, 'draft-of-another');
  await bea.getByRole('link', { name: 'Tell the staff', exact: true }).click();
  await bea.getByText('Draft by Ada').waitFor();
  await bea.getByRole('link', { name: 'Who and when' }).click();
  expect(await nameOf(bea).inputValue()).toBe('Tell all staff');
  await sound(bea, 'draft');
  await bea.getByRole('button', { name: 'Publish …' }).click();
  await bea.getByRole('button', { name: 'Publish', exact: true }).click();
  await bea.getByText('Published.').waitFor();
  await until(10_000, async () => (await drafts()).length === 0);
  expect(await call<object>('GET', `${EVENT}n/1/`)).toMatchObject({ name: 'Tell all staff' });
  // Ada has nothing left to decide: what she typed is published.
  await ada.getByText('Not published').waitFor({ state: 'detached' });
  expect(await nameOf(ada).inputValue()).toBe('Tell all staff');
  expect(complaints).toEqual([]);
  await call('PATCH', `${EVENT}n/1/`, { name: 'Tell the staff' });
  await ada.context().close();
  await bea.context().close();
});

it('of two who edit at once, the second is told, and nothing that was typed is lost', async () => {
  const { page } = await as('Bea');
  page.on('dialog', (dialog) => void dialog.accept());
  await open(page, app, `${PAGE}?rule=1&part=who`);
  // From now on, her page does not learn in time that there is a draft.
  const lists = '**/drafts/?limit=1000';
  const stayUnanswered = () => undefined;
  await page.route(lists, stayUnanswered);
  const cleo = await app.key({ name: 'Cleo', org: 'demo' });
  const { id: _id, translation_gaps: _gaps, ...saved } = await call<Record<string, unknown>>('GET', `${EVENT}n/1/`);
  const etag = (await fetch(`${app.url}${EVENT}n/1/`, { headers: { Authorization: `Key ${key}` } })).headers.get(
    'etag',
  );
  const ofCleo = (fields: object) => ({ notification: { ...saved, ...fields }, base: saved, base_etag: etag });
  await call('POST', DRAFTS, { draft: '1', ...ofCleo({ when: 'total > `7`' }) }, cleo);
  await nameOf(page).fill('Of Bea');
  const told = page.getByRole('alert').filter({ hasText: 'Cleo has saved other edits' });
  await told.getByText('total > `7`').waitFor();
  await sound(page, 'draft-conflict');
  expect(await nameOf(page).inputValue()).toBe('Of Bea');
  const draft = () => call<Draft>('GET', `${DRAFTS}1/`);
  expect(await draft()).toMatchObject({ notification: { name: 'Tell the staff', when: 'total > `7`' } });
  await told.getByRole('button', { name: 'Keep the edits of both' }).click();
  await until(10_000, async () => (await draft()).notification.name === 'Of Bea');
  expect(await draft()).toMatchObject({ notification: { when: 'total > `7`' } });
  // The same field: nobody can keep both.
  await call('PUT', `${DRAFTS}1/`, ofCleo({ name: 'Of Cleo' }), cleo);
  await nameOf(page).fill('Of Bea again');
  await told.waitFor();
  expect(await told.getByRole('button', { name: 'Keep the edits of both' }).count()).toBe(0);
  await page.unroute(lists);
  await page.reload();
  await told.waitFor();
  await page.route(lists, stayUnanswered);
  expect(await nameOf(page).inputValue()).toBe('Of Bea again');
  await told.getByRole('button', { name: 'Replace them with mine' }).click();
  await until(10_000, async () => (await draft()).notification.name === 'Of Bea again');
  await call('PUT', `${DRAFTS}1/`, ofCleo({ name: 'Of Cleo' }), cleo);
  await nameOf(page).fill('Late');
  await told.getByRole('button', { name: 'Take theirs, discard mine' }).click();
  expect(await nameOf(page).inputValue()).toBe('Of Cleo');
  await call('DELETE', `${DRAFTS}1/`, undefined, cleo);
  await nameOf(page).fill('Later');
  const gone = page.getByRole('alert').filter({ hasText: 'published or discarded this draft' });
  await gone.getByRole('button', { name: 'Save my edits again' }).click();
  await until(10_000, async () => (await drafts())[0]?.name === 'Later');
  await page.context().close();
});

it('a notification that is begun and not published is listed, and several may be', async () => {
  const { page, complaints } = await as('Ada');
  for (const name of ['First', 'Second']) {
    await open(page, app, PAGE);
    await page.getByRole('link', { name: 'New notification' }).click();
    await nameOf(page).fill(name);
    await page.getByText('Draft by Ada').waitFor();
  }
  expect((await drafts()).map(({ draft, name }) => `${draft} ${name}`)).toEqual(['new First', 'new-2 Second']);
  await open(page, app, PAGE);
  await sound(page, 'drafts-begun');
  await page.getByRole('link', { name: 'Second', exact: true }).click();
  expect(await nameOf(page).inputValue()).toBe('Second');
  await page.getByRole('button', { name: 'Discard the draft …' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await until(10_000, async () => (await drafts()).length === 1);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('what is typed without a connection is saved when there is one again', async () => {
  const { page } = await as('Ada');
  await open(page, app, `${PAGE}?rule=1&part=who`);
  await page.context().setOffline(true);
  await nameOf(page).fill('Offline');
  await page.getByText('The draft is not saved yet.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Draft by Ada').waitFor();
  expect(await drafts()).toMatchObject([{ draft: '1', name: 'Offline' }]);
  await page.context().close();
});

it('a notification that was never published is sent to oneself, with its HTML, and a false condition is said', async () => {
  const config = { host: SINK, port: sink.port, security: 'none', from: 'Shop <shop@acme.test>' };
  await call('POST', '/api/o/demo/c/', { slug: 'post', name: 'Post', type: 'email', config });
  const html = '<h1>Thanks for {{ order }}</h1>';
  const notification = {
    ...{ name: 'Thank', to: null, when: 'total > `1000000`', distribution_lists: ['Staff'] },
    templates: [{ channel: 'post', per: 'person', subject: 'Thanks', html }],
  };
  await call('POST', DRAFTS, { draft: 'new', notification });
  const { page, complaints } = await as('Ada');
  await open(page, app, `${PAGE}?rule=new&channel=post`);
  await page.getByRole('button', { name: 'Send only to me' }).click();
  await page.keyboard.type('ann@example.com');
  await page.getByText('The condition is false for these data: nobody would get it. The test message').waitFor();
  await sound(page, 'draft-test');
  await page.getByRole('button', { name: 'Send my edits to me' }).click();
  await page
    .locator('form')
    .getByText(/accepted/i)
    .waitFor();
  const mail = sink.mails.at(-1)!;
  expect(mail.envelope.to).toEqual(['ann@example.com']);
  expect(mail.raw.toString()).toContain('Subject: [Test] Thanks');
  expect(mail.raw.toString()).toContain('<h1>Thanks for');
  const rules = await call<{ name: string }[]>('GET', `${EVENT}n/`);
  expect(rules.map(({ name }) => name)).not.toContain('Thank');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('somebody who may not change notifications keeps edits in the tab', async () => {
  const permissions = ['organization:read', 'event:list', 'notification:read'] as const;
  const { page, complaints } = await signIn(browser, app, await app.key({ name: 'Dan', org: 'demo', permissions }));
  await open(page, app, `${PAGE}?rule=1&part=who`);
  await nameOf(page).fill('Of Dan');
  await page.getByText('These edits stay in this tab').waitFor();
  await page.reload();
  await page.getByText('These edits stay in this tab').waitFor();
  expect(await nameOf(page).inputValue()).toBe('Of Dan');
  await sound(page, 'draft-own');
  await page.getByRole('button', { name: 'Discard the draft …' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('Not published').waitFor({ state: 'detached' });
  expect(await nameOf(page).inputValue()).toBe('Tell the staff');
  expect(await drafts()).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
