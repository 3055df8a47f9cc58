import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, settled, signIn, violationsOf, useNoDrafts } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));
useNoDrafts(() => app);

const WEB = '/api/o/demo/p/shop/a/web/e/';
const RULE = 'o/demo/events/shop/web/order-paid?rule=1';

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { Authorization: `Key ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(app.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};
const inPreview = (page: Page) => page.frameLocator('.preview .message-frame');
const part = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function typeInto(page: Page, name: string, typed: string): Promise<void> {
  await part(page, name).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(typed);
}

it('a template is what was typed: no bracket and no tag is closed by itself', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE);
  const typed = '{% if total %}[{{ order }}]{% endif %} {%- comment -%}(x){% endcomment %}';
  await typeInto(page, 'Markdown', typed);
  expect(await part(page, 'Markdown').innerText()).toBe(typed);
  await typeInto(page, 'Subject', '{% if x %}"{{ x }}"{% endif %}');
  expect(await part(page, 'Subject').innerText()).toBe('{% if x %}"{{ x }}"{% endif %}');
  await page
    .frameLocator('.preview .message-frame')
    .getByText(/^\[A-\d+\]/)
    .waitFor();
  await page.context().close();
});

it('no HTML tag is closed by itself: a closing tag that is typed stands there once', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE);
  const typed = '<p>{% if total > 1 %}<b>{{ order }}</b>{% endif %}</p>';
  await typeInto(page, 'Markdown', typed);
  expect(await part(page, 'Markdown').innerText()).toBe(typed);
  await page.getByRole('radio', { name: 'HTML' }).click();
  await typeInto(page, 'HTML', typed);
  expect(await part(page, 'HTML').innerText()).toBe(typed);
  await page.context().close();
});

it('each format keeps its text and its layout while one looks at the others', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE);
  const layout = page.getByRole('combobox', { name: 'Layout' });
  await typeInto(page, 'Markdown', 'Hello **{{ order }}**');
  await layout.selectOption('default');
  await page.getByRole('radio', { name: 'MJML' }).click();
  // Markdown would not look as it does: the mail begins with a sample.
  await inPreview(page).getByText('The text of the message.').waitFor();
  await typeInto(page, 'MJML', '<mjml><mj-body><mj-raw>Mine</mj-raw></mj-body></mjml>');
  // Another tab in between changes nothing.
  const tabs = page.getByRole('navigation', { name: 'Parts of this notification' });
  await tabs.getByRole('link', { name: 'Who and when' }).click();
  await tabs.getByRole('link', { name: 'Inbox', exact: true }).click();
  await page.getByRole('radio', { name: 'HTML' }).click();
  expect(await part(page, 'HTML').innerText()).toBe('Hello **{{ order }}**');
  await page.getByRole('radio', { name: 'Markdown' }).click();
  expect(await part(page, 'Markdown').innerText()).toBe('Hello **{{ order }}**');
  expect(await layout.inputValue()).toBe('default');
  await page.getByRole('radio', { name: 'MJML' }).click();
  expect(await part(page, 'MJML').innerText()).toContain('<mj-raw>Mine</mj-raw>');
  await page.context().close();
});

it('a glance at another format is no edit', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE);
  const publish = page.getByRole('button', { name: 'Publish …' });
  for (const other of ['HTML', 'MJML', 'Text only']) {
    await page.getByRole('radio', { name: other }).click();
    expect(await publish.isEnabled()).toBe(true);
    await page.getByRole('radio', { name: 'Markdown' }).click();
    expect(await publish.isEnabled()).toBe(false);
  }
  await page.context().close();
});

it('a plain text becomes a whole mail in MJML, whose mistakes are shown at their line', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, RULE);
  await page.getByRole('radio', { name: 'Text only' }).click();
  await typeInto(page, 'Text', 'Hello {{ order }}');
  await page.getByRole('radio', { name: 'MJML' }).click();
  expect(await part(page, 'MJML').innerText()).toMatch(/^<mjml>[^]*<mj-text>\s+Hello \{\{ order \}\}\s+<\/mj-text>/);
  await inPreview(page)
    .getByText(/Hello A-\d+/)
    .waitFor();
  await typeInto(page, 'MJML', '<mjml>\n<mj-boddy></mj-boddy>\n</mjml>');
  await page.locator('.cm-fault-line', { hasText: 'mj-boddy' }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/did you mean mj-body/)
    .waitFor();
  await page.context().close();
});

it('an error is shown at its line while one types, and an unknown name is marked as a warning', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, RULE);
  await typeInto(page, 'Markdown', 'Hello\n{{ order | upcas }}');
  await page.locator('.cm-fault-line', { hasText: 'upcas' }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/undefined filter: upcas/)
    .waitFor();
  await typeInto(page, 'Markdown', "Hello\n{% render 'fotter' %}");
  await page.locator('.cm-fault-line', { hasText: 'fotter' }).waitFor();
  await typeInto(
    page,
    'Markdown',
    'Hello {{ order }}, {{ ordr }}, {{ user.firstname }}, {{ user.custom_fields.team }}',
  );
  await page.locator('.cm-unknown', { hasText: /^ordr$/ }).waitFor();
  await page.locator('.cm-unknown', { hasText: /^user\.firstname$/ }).waitFor();
  expect(await page.locator('.cm-unknown').count()).toBe(2);
  expect(await page.locator('.cm-fault-line').count()).toBe(0);
  await page.getByRole('button', { name: /^ordr is not known/ }).click();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'unknown');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'unknown-phone');
  // A warning keeps nobody from publishing.
  expect(await page.getByRole('button', { name: 'Publish …' }).isEnabled()).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('variables and snippets are offered in menus and while one types', async () => {
  await call('PUT', '/api/o/demo/partials/imprint/', { text: 'Imprint' });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, RULE);
  await typeInto(page, 'Markdown', 'Order ');
  await page.getByRole('button', { name: 'Variable' }).click();
  await page.getByRole('dialog', { name: 'Variable' }).waitFor();
  await picture(page, 'variables');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.type('ord');
  await page.getByRole('button', { name: /^order A-/ }).click();
  expect(await part(page, 'Markdown').innerText()).toBe('Order {{ order }}');
  // The cursor is behind it: one goes on typing.
  await page.keyboard.type(' at {{ or');
  const offered = page.getByRole('listbox');
  const variable = offered.getByRole('option', { name: /^order ?A-/, selected: true });
  await variable.waitFor();
  await picture(page, 'completion');
  // Not Enter: the editor ignores it in the first moment, so that nobody takes what has just appeared.
  await variable.click();
  await page.keyboard.type(' | upc');
  await offered.getByRole('option', { name: 'upcase', selected: true }).click();
  await page.keyboard.type(" }} {% render 'im");
  await offered.getByRole('option', { name: 'imprint', selected: true }).click();
  await page.keyboard.type("' %} ");
  // While the command was half typed, the message was shown faded.
  await inPreview(page).getByText('Imprint').waitFor();
  await page.getByRole('button', { name: 'Snippet' }).click();
  await picture(page, 'snippets');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: /^Amount of money/ }).click();
  await page.keyboard.type('sum');
  await page.keyboard.press('Tab');
  await page.keyboard.type('USD');
  const typed = "Order {{ order }} at {{ order | upcase }} {% render 'imprint' %} {{ sum | currency: 'USD' }}";
  expect(await part(page, 'Markdown').innerText()).toBe(typed);
  // The editor that had the focus last gets it.
  await typeInto(page, 'Subject', 'Hello ');
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Variable' }).click();
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'variables-phone');
  await page.getByRole('button', { name: /^user\.first_name/ }).click();
  expect(await part(page, 'Subject').innerText()).toBe('Hello {{ user.first_name }}');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the preview of an event without rules and occurrences shows what is typed', async () => {
  await call('POST', WEB, { slug: 'refunded', name: 'Refunded' });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/refunded?rule=new');
  await page.getByRole('combobox', { name: '+ Add a channel' }).selectOption('inbox');
  await page.getByText('Type a message to see it here.').waitFor();
  await picture(page, 'preview-empty');
  await typeInto(page, 'Markdown', 'Hello {{ user.first_name }}');
  await page.frameLocator('.preview .message-frame').getByText('Hello Sam').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await picture(page, 'preview-new');
  await page.context().close();
});

it('a template gets another language, which the preview shows and publishing names', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, RULE);
  await page.getByRole('textbox', { name: 'Add language' }).fill('de-at');
  await page.getByRole('button', { name: 'Add language' }).click();
  await typeInto(page, 'Subject', 'Bestellung {{ order }}');
  await typeInto(page, 'Markdown', 'Hallo {{ user.first_name }}');
  await inPreview(page).getByText('Hallo').waitFor();
  // A language that was typed for the preview ends with the next one that is edited.
  const shownIn = page.getByRole('region', { name: 'Preview' }).getByLabel('Language');
  await shownIn.fill('en');
  await page.getByRole('button', { name: /de-AT/ }).click();
  expect(await shownIn.inputValue()).toBe('');
  await inPreview(page).getByText('Hallo').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'language');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'language-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Subject in de-AT for').first().waitFor();
  await picture(page, 'language-publish');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  const rule = await call<{ templates: { translations: object }[] }>('GET', `${WEB}order-paid/n/1/`);
  expect(rule.templates[0]!.translations).toMatchObject({ 'de-AT': { subject: 'Bestellung {{ order }}' } });
  await page.getByRole('button', { name: 'Template', exact: true }).click();
  expect(await part(page, 'Subject').innerText()).not.toContain('Bestellung');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('languages that are outdated or incomplete say so, until the text is changed or still fits', async () => {
  await call('POST', WEB, { slug: 'shipped', name: 'Shipped' });
  const base = { channel: 'inbox', subject: 'Shipped', text: 'On its way' };
  const translations = { de: { subject: 'Versandt', text: 'Unterwegs' }, it: { subject: 'Spedito' } };
  const body = { name: 'Tell', distribution_lists: ['Staff'], templates: [{ ...base, translations }] };
  const { id } = await call<{ id: number }>('POST', `${WEB}shipped/n/`, body);
  const templates = [{ ...base, text: 'It is on its way', translations }];
  await call('PATCH', `${WEB}shipped/n/${id}/`, { templates });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/events/shop/web/shipped');
  await page.getByText('de outdated, it incomplete').waitFor();
  await picture(page, 'gaps-event');
  await open(page, app, `o/demo/events/shop/web/shipped?rule=${id}`);
  const german = page.getByRole('button', { name: /^German \(de\)/ });
  await page.getByRole('button', { name: 'Italian (it) incomplete' }).click();
  await page.getByText('Missing: Text.').waitFor();
  await german.click();
  await page.getByText('Outdated: Text.').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'gaps');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'gaps-phone-dark');
  await page.setViewportSize({ width: 1440, height: 900 });
  // A text that is translated again is no longer outdated; one whose original is edited becomes so.
  await typeInto(page, 'Text', 'Es ist unterwegs');
  await page.getByText('Outdated: Text.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Template', exact: true }).click();
  await typeInto(page, 'Subject', 'Sent');
  expect(await german.innerText()).toContain('outdated');
  await page.reload();
  await typeInto(page, 'Subject', 'Shipped');
  await german.click();
  await typeInto(page, 'Text', 'Unterwegs');
  await page.getByRole('button', { name: 'It still fits' }).click();
  await page.getByText('Outdated: Text.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Changes of Shipped: State of the translation in de for Inbox.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  const { translation_gaps: left } = await call<{ translation_gaps: object[] }>('GET', `${WEB}shipped/n/${id}/`);
  expect(left).toMatchObject([{ language: 'it', part: 'text', state: 'missing' }]);
  expect(await german.innerText()).not.toContain('outdated');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a template gets the layout of the organization, which the preview shows and publishing names', async () => {
  await call('PUT', '/api/o/demo/layouts/news/', { html: '<h1>The news</h1>{{ content }}', text: '{{ content }}' });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, RULE);
  const choice = page.getByRole('combobox', { name: 'Layout' });
  await choice.locator('option[value=news]').waitFor({ state: 'attached' });
  expect(await choice.locator('option').allInnerTexts()).toEqual([
    'None: only the message',
    'default (built in)',
    'news',
  ]);
  await choice.selectOption('news');
  const link = page.getByRole('link', { name: 'Edit this layout' });
  expect(await link.getAttribute('href')).toContain('/layouts/-/layout/news');
  await page.frameLocator('.preview .message-frame').getByText('The news').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'layout');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByText('Layout for').first().waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  const rule = await call<{ templates: { layout: string }[] }>('GET', `${WEB}order-paid/n/1/`);
  expect(rule.templates[0]!.layout).toBe('news');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('sending only to me says that nothing was sent when the condition is false, and why', async () => {
  await call('PATCH', `${WEB}order-paid/n/1/`, { when: 'total > `1000000`' });
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, RULE);
  await page.getByRole('button', { name: 'Send only to me' }).click();
  await page.keyboard.type('ann@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Triggered for you alone').waitFor();
  const outcome = page.locator('.note').filter({ hasText: 'Nothing was sent to you.' });
  await outcome.getByText(/condition/).waitFor();
  await picture(page, 'send-nothing');
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await call('PATCH', `${WEB}order-paid/n/1/`, { when: null });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('You got it.').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the first page says what waits instead of "All is well"', async () => {
  const { page } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await app.pool.query(`insert into jobs (task, organization_id, priority, run_at, state, payload)
    select 'expand', id, 0, now() + interval '1 hour', 'scheduled',
           jsonb_build_object('occurrences', (select jsonb_agg(gen_random_uuid()) from generate_series(1, 1200)))
    from organizations where slug = 'demo'`);
  try {
    const reason = page.getByRole('listitem').filter({ hasText: 'For the time that the trigger asks for' });
    await reason.getByText('1,200 triggers wait').waitFor();
    expect(await page.getByText('All is well').count()).toBe(0);
    await picture(page, 'now-waits');
    expect(await violationsOf(page)).toEqual([]);
  } finally {
    await app.pool.query(`delete from jobs where state = 'scheduled' and task = 'expand'`);
  }
  await page.context().close();
});
