import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { DESKTOP, PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const { SCREENSHOTS } = process.env;

/** One occurrence, with messages that were sent, bounced, were given up, were refused by their users, and wait. $1: id, $2 to $6: how many of each. */
const STORE = `
  with o as (
    insert into occurrences (id, organization_id, event_id, context, options, status, created_at)
    select $1, e.organization_id, e.id, '{}', '{}', 'expanded', to_timestamp(figure_time($1)) from events e order by id limit 1 returning *
  )
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, status, gate)
  select o.id, o.organization_id, n.id, c.id, 1000 + i, 1, case when i <= $2 then 'pending' else 'skipped' end::delivery_status,
         case when i > $2 then 'opted_out' end::gate
  from o, lateral (select id from notifications where event_id = o.event_id order by id limit 1) n,
       lateral (select id from channels where organization_id = o.organization_id and slug = 'mail') c, generate_series(1, $2::int + $3::int) i
  returning id`;

const SEND = `
  with input as (select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) i(id, status, report, domain)), texts as (
    insert into messages (delivery_id, recipient, subject, text, html) select id, 'user' || id || '@' || domain, '', '', '' from input
  )
  update deliveries d set status = i.status::delivery_status, report = i.report::report_state, reason = case i.status when 'dead' then 'rejected by the provider: no' end,
    pending_since = to_timestamp(figure_time(occurrence_id))
  from input i where d.id = i.id`;

let app: TestApp;
let key: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  const domains = ['gmail.com', 'gmail.com', 'gmx.de', 'example.org', 'outlook.com'];
  for (let day = 0; day < 14; day++) {
    const count = 40 + ((day * 37) % 60);
    const id = uuidV7(Date.now() - day * DAY_MS - 60_000);
    const { rows } = await app.pool.query<{ id: string }>(STORE, [id, count, 3 + (day % 4)]);
    const sent = rows.slice(0, day === 0 ? count - 5 : count);
    await app.pool.query(SEND, [
      sent.map(({ id: delivery }) => delivery),
      sent.map((_, i) => (i % 17 === 16 ? 'dead' : 'sent')),
      sent.map((_, i) => (i % 13 === 12 ? 'bounced' : i % 2 === 0 ? 'delivered' : null)),
      sent.map((_, i) => domains[i % domains.length]!),
    ]);
  }
  await until(20_000, async () => (await app.pool.query('select from figure_changes')).rowCount === 0);
});
useBrowser((started) => (browser = started));

it('shows what was sent, compares it with the time before, and leads to the occurrences behind each bar', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Figures', level: 1 }).waitFor();
  const end = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const [since, before] = [end - 7 * DAY_MS, end].map((at) => new Date(at).toISOString());
  const { body } = await app.as(key).get(`/api/o/demo/figures/?by=day&since=${since}&until=${before}`);
  const { total } = body as { total: { sent: number; failed: number } };
  const card = (name: string) => page.locator('.total', { has: page.getByText(name, { exact: true }) });
  expect(await card('Sent').locator('.figure').textContent()).toBe(total.sent.toLocaleString('en-US'));
  expect(await card('Failed').textContent()).toMatch(/\d+ before$/);
  // The same as a table.
  await page.getByText('The same as a table').click();
  const rows = await page.locator('section', { hasText: 'The same as a table' }).locator('tbody tr').count();
  expect(rows).toBe(await page.locator('.figure-bar').count());
  expect(await page.getByRole('table', { name: 'By mail domain' }).locator('tbody tr').first().textContent()).toContain(
    'gmail.com',
  );
  await page.getByText('Failed: rejected by the provider').waitFor();
  // A file.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(csv[0]).toMatch(/^by,name,messages,sent,failed,waiting/);
  expect(csv.some((line) => line.startsWith('domain,gmail.com,'))).toBe(true);
  // A bar leads to its occurrences, and an event to its own.
  await page.locator('.figure-bar').nth(1).click();
  await page.waitForURL(/\/occurrences\?since=/);
  await until(10_000, async () => (await page.getByRole('table').locator('tbody tr a').count()) > 0);
  await page.goBack();
  await page.getByRole('table', { name: 'By event' }).getByRole('link').first().click();
  await page.waitForURL(/event=shop%2Fweb%2Forder-paid/);
  await page.goBack();
  // A domain, a reason and a number lead to the occurrences that have such messages; these show the deliveries with this outcome.
  const hasRows = () => until(10_000, async () => (await page.getByRole('table').locator('tbody tr a').count()) > 0);
  await page.getByRole('link', { name: 'gmail.com' }).click();
  await page.getByText('to gmail.com').waitFor();
  await hasRows();
  await page.goBack();
  await page.getByRole('table', { name: 'By channel' }).locator('td[data-label="Opted out"] a').first().click();
  await page.waitForURL(/channel=mail&.*outcome=skipped&reason=opted_out/);
  await hasRows();
  await page.goBack();
  await page.getByRole('link', { name: 'Failed: rejected by the provider' }).click();
  await page.waitForURL(/outcome=failed&reason=rejected/);
  await hasRows();
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'occurrences-rejected.png') });
  expect(await page.getByRole('combobox', { name: 'Event' }).inputValue()).toBe('');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('table').locator('tbody tr a').first().click();
  await page.waitForURL(/status=dead/);
  await page.goBack();
  await page.getByRole('button', { name: 'With any messages' }).click();
  await page.waitForURL((url) => !url.search.includes('outcome'));
  await page.goBack();
  // Another period, and one event: both are in the address.
  await page.getByRole('combobox', { name: 'Period' }).selectOption('24h');
  await page.getByRole('combobox', { name: 'Event' }).fill('paid');
  await page.getByRole('option', { name: /^Order paid/ }).click();
  await page.waitForURL(/time=24h&event=/);
  await page.getByText(/Messages by hour/).waitFor();
  expect(await page.getByText('By mail domain').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('is sound in light and dark, on a desktop and on a phone', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/figures?time=30d');
  await page.getByRole('table', { name: 'By mail domain' }).waitFor();
  const found: string[] = [];
  for (const [colorScheme, size, viewport] of [
    ['light', 'desktop', DESKTOP],
    ['dark', 'phone', PHONE],
    ['light', 'narrow', { width: 1024, height: 768 }],
    ['light', 'half', { width: 720, height: 768 }],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsOf(page)).map((violation) => `${colorScheme}, ${size}: ${violation}`));
    if (await isWiderThanWindow(page)) found.push(`${size}: wider than the window`);
    if (!SCREENSHOTS) continue;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `figures-${size}-${colorScheme}.png`), fullPage: true });
  }
  expect([...found, ...complaints]).toEqual([]);
  await page.context().close();
});

it('says on the rows of events, channels and occurrences what was sent', async () => {
  const { page } = await signIn(browser, app, key);
  for (const path of ['o/demo/events', 'o/demo/channels', 'o/demo/occurrences']) {
    await open(page, app, path);
    await page
      .getByText(/^\d+ sent, \d+ failed, \d+ waiting$/)
      .first()
      .waitFor();
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${path.split('/')[2]}-rows.png`) });
  }
  await page.context().close();
});
