import { describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { until } from '../support/until.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf, useNoDrafts } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

const RULE = '/api/o/demo/p/shop/a/web/e/order-paid/n/1/';

async function call<Answer>(method: string, path: string, body?: unknown, as = key): Promise<Answer> {
  const headers = { Authorization: `Key ${as}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Changed by somebody else meanwhile' });
const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};

/** Every change that the page sends, and the version that it names. */
function changesOf(page: Page): [string, string | undefined][] {
  const sent: [string, string | undefined][] = [];
  page.on('request', (request) => {
    if (['PATCH', 'PUT', 'DELETE'].includes(request.method()) && !request.url().includes('/drafts/'))
      sent.push([request.method(), request.headers()['if-match']]);
  });
  return sent;
}

it('of two people who publish one rule, the second learns what the first has changed, and decides', async () => {
  const cleo = await app.key({ name: 'Cleo', org: 'demo' });
  const { page, complaints } = await signIn(browser, app, key);
  const sent = changesOf(page);
  await open(page, app, 'o/demo/events/shop/web/order-paid?rule=1&part=who');
  await page.getByRole('textbox', { name: 'Name' }).fill('Tell all staff');
  const { when: before } = await call<{ when: string }>('GET', RULE);
  await call('PATCH', RULE, { when: 'total > `7`' }, cleo);
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await alert(page).getByText('Cleo').waitFor();
  await alert(page).getByText('total > `7`').waitFor();
  expect(await call<{ name: string; when: string }>('GET', RULE)).toMatchObject({
    name: 'Tell the staff',
    when: 'total > `7`',
  });
  expect(before).not.toBe('total > `7`');
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'meanwhile');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'meanwhile-phone');
  // Over the version that was shown, and over no other.
  await call('PATCH', RULE, { when: 'total > `8`' }, cleo);
  await page.getByRole('button', { name: 'Keep both changes' }).click();
  await alert(page).getByText('total > `8`').waitFor();
  await page.getByRole('button', { name: 'Keep both changes' }).click();
  await page.getByText('Published.').waitFor();
  // What the first one has changed is kept where the second has not edited it.
  expect(await call<object>('GET', RULE)).toMatchObject({ name: 'Tell all staff', when: 'total > `8`' });
  expect(sent.every(([, version]) => version !== undefined)).toBe(true);
  expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([]);
  await page.context().close();
});

it('one who reloads gets the new version, and the edits are gone', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/order-paid?rule=1&part=who');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Mine');
  await call('PATCH', RULE, { name: 'Theirs' });
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Discard mine and reload' }).click();
  await page.getByRole('heading', { name: 'Theirs' }).waitFor();
  expect(await page.getByText('Not published').count()).toBe(0);
  expect(await call<object>('GET', RULE)).toMatchObject({ name: 'Theirs' });
  await page.context().close();
});

it('settings of channels, events, categories and lists name the version that one saw', async () => {
  const { page } = await signIn(browser, app, key);
  const sent = changesOf(page);
  const meanwhile = async (path: string, body: object, edit: () => Promise<void>, over = 'Overwrite with mine') => {
    await edit();
    await call('PATCH', path.replace(/settings\/$/, ''), body);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await alert(page).getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: over }).click();
    await until(10_000, async () => JSON.stringify(await call<object>('GET', path)).includes('Mine'));
  };
  const fill = async (value: string) => page.getByRole('textbox', { name: 'Name', exact: true }).fill(value);
  await open(page, app, 'o/demo/channels/-/mail');
  await meanwhile('/api/o/demo/c/mail/', { name: 'Theirs' }, () => fill('Mine'));
  await open(page, app, 'o/demo/events/shop/web/order-paid?tab=settings');
  const event = '/api/o/demo/p/shop/a/web/e/order-paid/';
  await meanwhile(event, { retention_days: 12 }, () => fill('Mine'), 'Keep both changes');
  expect(await call<object>('GET', event)).toMatchObject({ name: 'Mine', retention_days: 12 });
  await open(page, app, 'o/demo/categories');
  const edit = async () => {
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await fill('Mine');
  };
  const [category] = await call<{ slug: string }[]>('GET', '/api/o/demo/p/shop/categories/');
  await meanwhile(`/api/o/demo/p/shop/categories/${category!.slug}/`, { name: 'Theirs' }, edit);
  const [list] = await call<{ id: number }[]>('GET', '/api/o/demo/p/shop/d/');
  await open(page, app, `o/demo/lists/shop/${list!.id}`);
  const editList = async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await fill('Mine');
  };
  await meanwhile(`/api/o/demo/p/shop/d/${list!.id}/settings/`, { name: 'Theirs', open: true }, editList);
  expect(await call<object>('GET', `/api/o/demo/p/shop/d/${list!.id}/settings/`)).toMatchObject({
    ...{ name: 'Mine', open: true },
  });
  expect(sent.length).toBe(8);
  expect(sent.every(([, version]) => version?.startsWith('"'))).toBe(true);
  await page.context().close();
});

describe.each([4, 20])('two people in two browsers, %i seconds apart', (seconds) => {
  const rule = 'o/demo/events/shop/web/order-paid?rule=1';
  /** Opens the rule at the part, with a clock that the test moves. */
  async function enter(name: string, part: string) {
    const { page, complaints } = await signIn(browser, app, await app.key({ name, org: 'demo' }));
    await page.clock.install();
    await open(page, app, `${rule}&${part}`);
    return { page, complaints };
  }
  async function publish(page: Page) {
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
  }

  it('the second learns who changed which fields, and keeps both changes', async () => {
    const { page: first } = await enter('Ada', 'part=who');
    const { page: second, complaints } = await enter('Bea', 'channel=inbox');
    const subject = `Paid after ${seconds} seconds`;
    const when = `total > \`${seconds}\``;
    const { templates } = await call<{ templates: { channel: string; text: string | null }[] }>('GET', RULE);
    await second.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await call('PATCH', RULE, { when }, await app.key({ name: 'Cleo', org: 'demo' }));
    await first.getByRole('textbox', { name: 'Name' }).fill(`Staff ${seconds}`);
    await publish(first);
    await alert(first).getByText('Cleo').waitFor();
    await first.getByRole('button', { name: 'Keep both changes' }).click();
    await first.getByText('Published.').waitFor();
    await second.clock.fastForward(seconds * 1000);
    await publish(second);
    await alert(second).getByRole('listitem').filter({ hasText: 'Ada' }).getByText('Name').first().waitFor();
    await alert(second).getByRole('listitem').filter({ hasText: 'Cleo' }).getByText('Condition').waitFor();
    expect(await violationsOf(second)).toEqual([]);
    await picture(second, `merge-${seconds}`);
    await second.getByRole('button', { name: 'Keep both changes' }).click();
    await second.getByText('Published.').waitFor();
    const now = await call<{ templates: object[] }>('GET', RULE);
    expect(now).toMatchObject({ name: `Staff ${seconds}`, when });
    expect(now.templates).toEqual(templates.map((one) => (one.channel === 'inbox' ? { ...one, subject } : one)));
    expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([]);
    await first.context().close();
    await second.context().close();
  });

  it('the second chooses where both have written the same field', async () => {
    const { page: first } = await enter('Ada', 'channel=inbox');
    const { page: second } = await enter('Bea', 'channel=inbox');
    for (const [page, name] of [
      [first, 'Ada'],
      [second, 'Bea'],
    ] as const)
      await page.getByRole('textbox', { name: 'Subject' }).fill(`Subject of ${name}, ${seconds}`);
    await publish(first);
    await first.getByText('Published.').waitFor();
    await second.clock.fastForward(seconds * 1000);
    await publish(second);
    const choice = second.getByRole('group', { name: 'Subject for Inbox', exact: true });
    await choice.getByText('Keep theirs').waitFor();
    const save = second.getByRole('button', { name: 'Save what I chose' });
    expect(await save.isDisabled()).toBe(true);
    expect(await violationsOf(second)).toEqual([]);
    await picture(second, `choose-${seconds}`);
    await second.setViewportSize(PHONE);
    expect(await isWiderThanWindow(second)).toBe(false);
    await picture(second, `choose-phone-${seconds}`);
    await choice.getByRole('radio', { name: 'Keep mine' }).check();
    await save.click();
    await second.getByText('Published.').waitFor();
    expect(JSON.stringify(await call('GET', RULE))).toContain(`Subject of Bea, ${seconds}`);
    await first.context().close();
    await second.context().close();
  });
});
