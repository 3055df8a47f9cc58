import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const picture = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
};

it('a channel that is off shows what waits for it, and discards it', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels/-/inbox');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByText('unless they expire or have waited for seven days').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('No message waits for it.').waitFor();
  const trigger = '/api/o/demo/p/shop/a/web/e/order-paid/trigger/';
  expect((await app.as(key).post(trigger).send({ context: {} })).status).toBe(201);
  await page.getByText(/messages? waits? for it/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard what waits …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard them' }).click();
  await page.getByText('No message waits for it.').waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a channel that fails is named on Now and on its page, with what its provider answered and what waits', async () => {
  const { page, complaints } = await signIn(browser, app, key, { timezoneId: 'Pacific/Auckland' });
  await open(page, app, 'o/demo');
  await page.getByText('Oldest job that is due').waitFor();
  expect(await page.getByText('channel fails').count()).toBe(0);
  const as = app.as(key);
  const config = { url: 'http://partner.invalid/' };
  await as.post('/api/o/demo/c/').send({ slug: 'partner', name: 'Partner', type: 'webhook', config }).expect(201);
  await as.post('/api/o/demo/p/shop/a/web/e/').send({ slug: 'told', name: 'Told' }).expect(201);
  const rule = {
    name: 'Tell the partner',
    distribution_lists: ['Management'],
    templates: [{ channel: 'partner', text: 'Hi', per: 'person' }],
  };
  await as.post('/api/o/demo/p/shop/a/web/e/told/n/').send(rule).expect(201);
  await as.post('/api/o/demo/p/shop/a/web/e/told/trigger/').send({ context: {} }).expect(201);
  const card = page.getByRole('article').filter({ hasText: 'channel fails' });
  await card.getByRole('link', { name: 'Partner', exact: true }).waitFor();
  await card.getByText(/1 message waits/).waitFor();
  await card.getByText('partner.invalid').waitFor();
  await page
    .getByRole('region', { name: 'What waits, and why' })
    .getByRole('listitem')
    .filter({ hasText: 'The channel fails: partner' })
    .waitFor();
  // It waits for its next attempt.
  expect(await page.getByRole('region', { name: 'Sending now' }).count()).toBe(0);
  await page.getByText('What waits is sent later').waitFor();
  expect(await page.getByText('All is well').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'now-failing');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'now-failing-phone');
  await card.getByRole('link', { name: 'Partner', exact: true }).click();
  await page.getByText('message waits for it').waitFor();
  await page.locator('code').getByText('partner.invalid').first().waitFor();
  await page.getByText('The last failure').click();
  await page.locator('.failures').getByText('partner.invalid').waitFor();
  expect(await page.getByRole('button', { name: 'Discard what waits …' }).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'channel-failing-phone');
  // A sentence has its times by the clock of whoever reads it.
  const explained = await as
    .get(`/api/o/demo/occurrences/${DEMO_OCCURRENCE}/explain/?user=ann@example.com`)
    .expect(200);
  expect((explained.body as { sentence: string }).sentence).toMatch(/ at \d{4}-\d\d-\d\dT[\d:.]+Z/);
  await open(page, app, `o/demo/occurrences/${DEMO_OCCURRENCE}?user=ann@example.com`);
  await page
    .getByText(/^Ann Lee.* was sent .* at \d+ \w+ \d{4}, \d\d:\d\d/)
    .first()
    .waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/\d\dT\d\d:\d\d:\d\d/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('alerts are set without JSON, on Now', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await app
    .as(key)
    .post('/api/o/demo/c/')
    .send({ slug: 'room', name: 'Room', type: 'webhook', config: { url: 'http://room.invalid/' } })
    .expect(201);
  await open(page, app, 'o/demo');
  await page.getByRole('button', { name: 'Tell me when something fails …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User').fill('ann@example.com');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByLabel('Room', { exact: true }).check();
  await dialog.getByLabel('Minutes that a message may wait').fill('30');
  expect(await violationsOf(page)).toEqual([]);
  await picture(page, 'alerts');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await picture(page, 'alerts-phone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Alerts …' }).waitFor();
  const { body } = await app.as(key).get('/api/o/demo/settings/');
  expect((body as { alerts: object }).alerts).toEqual({
    users: ['ann@example.com'],
    channels: ['room'],
    waiting_minutes: 30,
    per_hour: 10,
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a channel is created from the fields of its dispatcher, tested, changed without losing its secret, and deleted', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Partner hook');
  await dialog.getByLabel('Type').selectOption('Webhook');
  await dialog.getByLabel('URL').fill('http://127.0.0.1:9/');
  await dialog.getByLabel('Signing secret (optional)', { exact: true }).fill('too short');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').getByText('whsec_').first().waitFor();
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  await dialog.getByLabel('Signing secret (optional)', { exact: true }).fill(secret);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Partner hook' }).waitFor();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('127.0.0.1 is not allowed').waitFor();
  // The secret is never shown, and goes nowhere else without being typed again.
  const kept = page.getByLabel('Signing secret (optional)', { exact: true });
  expect([await kept.inputValue(), await kept.getAttribute('placeholder')]).toEqual(['', '•••••••• kept']);
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByText(/^More settings/).click();
  await page.getByLabel('Timeout in seconds').fill('7');
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.getByLabel('URL').fill('http://127.0.0.2:9/');
  await page.getByText('Type it again').waitFor();
  await save.click();
  await page.getByRole('alert').first().waitFor();
  await kept.fill(secret);
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByLabel('Type Partner hook to confirm').fill('Partner hook');
  await page.getByRole('button', { name: 'Delete the channel' }).click();
  await page.getByRole('heading', { name: 'Channels' }).waitFor();
  await open(page, app, 'o/demo/channels/-/inbox');
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByLabel('Type Inbox to confirm').fill('Inbox');
  await page.getByRole('button', { name: 'Delete the channel' }).click();
  await page.getByRole('alert').getByText('the notification Tell the staff').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a mail channel shows where its service reports to, and the URL takes reports', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  const reportKey = 'a password of our own';
  const config = { host: '127.0.0.1', from: 'shop@example.com', report_service: 'postmark', report_key: reportKey };
  await app.as(key).post('/api/o/demo/c/').send({ slug: 'post', name: 'Post', type: 'email', config }).expect(201);
  await open(page, app, 'o/demo/channels/-/mail');
  await page.getByText('Choose the service that reports').waitFor();
  await open(page, app, 'o/demo/channels/-/post');
  const url = await page.getByLabel('URL for reports').inputValue();
  await page.getByText('Create a webhook with the URL and the header X-Report-Key').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const report = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers, body: '{"RecordType":"Test"}' }).then(({ status }) => status);
  expect([await report({ 'x-report-key': reportKey }), await report({ 'x-report-key': 'another' })]).toEqual([
    200, 404,
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a channel for mail takes a private key of several lines, and shows which DNS records are missing', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/channels');
  await page.getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Signed mail');
  await dialog.getByLabel('Type').selectOption('E-mail (SMTP)');
  await dialog.getByLabel('SMTP host').fill('mail.acme.test');
  await dialog.getByLabel('From', { exact: true }).fill('a@acme.test');
  await dialog.getByText('Each user gets a message.').waitFor();
  await picture(page, 'channel-new');
  await dialog.getByText(/^More settings/).click();
  await dialog.getByLabel('DKIM selector (optional)', { exact: true }).fill('c1');
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await dialog.getByLabel('DKIM private key (optional)', { exact: true }).fill(pem);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Signed mail' }).waitFor();
  const kept = page.getByLabel('DKIM private key (optional)', { exact: true });
  expect([await kept.inputValue(), await kept.getAttribute('placeholder')]).toEqual(['', '•••••••• kept']);
  const domains = page.getByRole('region', { name: 'Mail domains' });
  await domains.getByRole('button', { name: 'Check DNS records' }).click();
  await domains.getByText('c1._domainkey.acme.test').waitFor();
  // The demo asks the name servers of the machine, which may not answer here.
  expect(await domains.getByText(/^(Missing|Not known)$/).count()).toBe(3);
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a channel of a provider that can be asked has a button that tries its settings', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  const config = { url: 'http://127.0.0.1:9' };
  await app.as(key).post('/api/o/demo/c/').send({ slug: 'push', name: 'Push', type: 'ntfy', config }).expect(201);
  await open(page, app, 'o/demo/channels/-/push');
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Check settings' }).click();
  await settings.getByText('The settings must be corrected').waitFor();
  await settings.getByText('127.0.0.1 is not allowed').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // As the service answers for a channel of WhatsApp (test/pipeline/whatsapp-templates.spec.ts).
  const of = { event: 'shop/web/order-paid', template: 'order_paid', language: 'en_US' };
  const problem = 'the provider has order_paid in de, fr, but not in en_US';
  const templates = [
    { ...of, notification: 'Tell the staff', state: 'ok', problem: null },
    { ...of, notification: 'Tell the customer', state: 'wrong', problem },
  ];
  const json = { ok: true, fault: null, answer: '200 {"name":"Acme"}', templates, duration_ms: 412 };
  await page.route('**/c/push/check/', (route) => route.fulfill({ json }));
  await settings.getByRole('button', { name: 'Check settings' }).click();
  await settings.getByText('The provider has 1 of 2 templates as notifications use them.').waitFor();
  expect(await settings.getByRole('listitem').allInnerTexts()).toEqual([
    `shop/web/order-paid, Tell the customer: ${problem}`,
  ]);
  expect(await violationsOf(page)).toEqual([]);
  expect(await settings.locator('.note.bad').count()).toBe(1);
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await settings.screenshot({ path: `${SCREENSHOTS}/console-templates-checked.png` });
  await open(page, app, 'o/demo/channels/-/inbox');
  await page.getByRole('heading', { name: 'Test message' }).waitFor();
  expect(await page.getByRole('button', { name: 'Check settings' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});
