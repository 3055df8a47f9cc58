import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AcknowledgeTokens } from '../../src/engine/acknowledge/token.js';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { giveCategory } from '../support/world/category.js';
import { quiet } from '../support/world/steps.js';
import { Tenant, inbox, mail } from '../support/world/tenant.js';

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

let app: TestApp;
let browser: Browser;
useApp({ ROLE: 'all' }, (started) => (app = started));
useBrowser((started) => (browser = started));

/** The link of a person who gets news by mail and in the app, and alarms that are required. */
async function givenLink(): Promise<string> {
  const templates = ['mail', 'app'].map((channel) => ({ channel, text: 'Hi' }));
  const { org } = await Tenant.create(app, {
    channels: [mail('mail', 9), inbox('app')],
    users: [{ email: 'ann@acme.test' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates }],
  });
  const categoryId = await giveCategory(app.pool, org);
  await app.pool.query(`update categories set frequencies = '{daily,weekly}' where id = $1`, [categoryId]);
  await app.pool.query(
    `insert into categories (organization_id, project_id, slug, name, description, "default")
     select organization_id, project_id, 'alarms', 'Alarms', 'When your account is at risk', 'required' from categories where id = $1`,
    [categoryId],
  );
  const { rows } = await app.pool.query<{ organizationId: number; userId: number }>(
    `update organizations o set name = 'Acme Inc', color = '#b3261e', time_zone = 'Europe/Rome',
       quiet_hours = '[{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "22:00", "to": "07:00"}]'
     from users u where u.organization_id = o.id and o.slug = $1 returning o.id "organizationId", u.id "userId"`,
    [org],
  );
  return `/u/${app.app.get(UnsubscribeTokens).sign({ ...rows[0]!, categoryId })}`;
}

it.each(['desktop', 'phone'] as const)(
  'a person unsubscribes, changes their mind and chooses, on a %s',
  async (size) => {
    // Without JavaScript, as the pages have none.
    const context = await browser.newContext({ viewport: SIZES[size], javaScriptEnabled: false, locale: 'en-GB' });
    const page = await context.newPage();
    const complaints = complaintsOf(page, app.url);
    const look = async (name: string) => {
      const { SCREENSHOTS } = process.env;
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${size}.png`, fullPage: true });
      const width = await page.locator('html').evaluate((element) => element.scrollWidth);
      expect(width).toBeLessThanOrEqual(SIZES[size].width);
    };
    await page.goto(app.url + (await givenLink()));
    await look('ask');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await look('unsubscribed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('link', { name: 'All messages of Acme Inc' }).click();
    const news = page.getByRole('group', { name: 'News & offers' });
    expect(await news.getByLabel('E-mail').isChecked()).toBe(false);
    expect(await page.getByRole('group', { name: 'Alarms' }).getByRole('checkbox').isDisabled()).toBe(true);
    await look('choices');
    await news.getByLabel('In the app').uncheck();
    await news.getByLabel('How often').selectOption('weekly');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByLabel('My own', { exact: true }).check();
    await page.getByLabel('From').fill('21:00');
    await page.getByLabel('To', { exact: true }).fill('06:30');
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = page.getByRole('status');
    expect(await saved.innerText()).toMatch(
      /News & offers, In the app: off\s+News & offers: Once a week, in one message on Monday at 09:00\s+Language: English\s+Time zone: America\/New York\s+Quiet hours: 21:00–06:30/,
    );
    await look('saved');
    await page.goto(`${app.url}/u/wrong`);
    await look('gone');
    await page.goto(`${app.url}/`);
    await look('index');
    expect(complaints).toEqual([]);
    await context.close();
  },
);

it.each([
  ['a desktop', 'en-GB', SIZES.desktop],
  ['a phone', 'en-GB', SIZES.phone],
  ['a phone from right to left', 'ar', SIZES.phone],
] as const)('a person sees their devices and removes one, on %s', async (name, locale, viewport) => {
  const link = await givenLink();
  await app.pool.query(DEVICES_OF_ANN);
  const context = await browser.newContext({ viewport, javaScriptEnabled: false, locale });
  const page = await context.newPage();
  const complaints = complaintsOf(page, app.url);
  await page.goto(`${app.url}${link}/preferences`);
  const look = async (step: string) => {
    const { SCREENSHOTS } = process.env;
    const file = `recipient-devices-${step}-${name.replaceAll(' ', '-')}.png`;
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${file}`, fullPage: true });
    const width = await page.locator('html').evaluate((element) => element.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
  };
  const phone = page.getByRole('group', { name: 'iPhone of Ann, iOS, com.acme.shop' });
  const old = page.getByRole('group', { name: 'Android, com.acme.shop' });
  await phone.waitFor();
  await look('listed');
  await old.getByRole('button').click();
  await page.getByRole('status').getByText('Android, com.acme.shop').waitFor();
  expect([await phone.count(), await old.count()]).toEqual([1, 0]);
  await look('removed');
  expect(complaints).toEqual([]);
  await context.close();
});

/** The link in a message that asks to be acknowledged. */
async function givenAsk(): Promise<string> {
  const tenant = await Tenant.create(app, {
    channels: [inbox('app'), inbox('later')],
    users: [{ email: 'ann@acme.test', first_name: 'Ann', last_name: 'Lee' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff' },
        steps: [{ channels: ['app'] }, { after: '10m', unless: 'acknowledged', channels: ['later'] }],
        templates: [
          { channel: 'app', subject: 'The disk of db-1.internal.acme.test is full', text: 'Hi' },
          { channel: 'later', text: 'Hi' },
        ],
      },
    ],
  });
  await quiet(app.pool, await tenant.trigger());
  const { rows } = await app.pool.query<{ organizationId: number; delivery: string }>(
    `select organization_id "organizationId", id delivery from deliveries order by id desc limit 1`,
  );
  return `/a/${app.app.get(AcknowledgeTokens).sign(rows[0]!)}`;
}

it.each([
  ['a desktop', 'en-GB', SIZES.desktop, 'light'],
  ['a phone in the dark', 'en-GB', SIZES.phone, 'dark'],
  ['a phone from right to left', 'ar', SIZES.phone, 'light'],
] as const)('a person acknowledges with a note, on %s', async (name, locale, viewport, colorScheme) => {
  const context = await browser.newContext({ viewport, javaScriptEnabled: false, locale, colorScheme });
  const page = await context.newPage();
  const complaints = complaintsOf(page, app.url);
  const look = async (step: string) => {
    const { SCREENSHOTS } = process.env;
    const file = `acknowledge-${step}-${name.replaceAll(' ', '-')}.png`;
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${file}`, fullPage: true });
    const width = await page.locator('html').evaluate((element) => element.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
  };
  await page.goto(app.url + (await givenAsk()));
  await page.getByRole('heading', { name: 'The disk of db-1' }).waitFor();
  await look('ask');
  await page.getByRole('textbox').fill('On my way');
  await page.getByRole('button').click();
  await page.getByRole('status').waitFor();
  await page.getByText('On my way').waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  await look('done');
  expect(complaints).toEqual([]);
  await context.close();
});

/** Two phones of each user who has none. */
const DEVICES_OF_ANN = `
  with phones (device, kind, platform, phone) as (
    values ('phone-1', 'apns', 'ios', 'iPhone of Ann'), ('phone-2', 'fcm', 'android', '')
  ), added as (
    insert into addresses (organization_id, user_id, name, value)
    select u.organization_id, u.id, kind, concat('token-', u.id) from users u, phones
    where not exists (select from devices d where d.user_id = u.id) returning *
  )
  insert into devices (organization_id, user_id, address_id, app, device, platform, address_hash, name)
  select a.organization_id, a.user_id, a.id, 'com.acme.shop', device, platform, sha256(concat(a.name, a.value)::bytea), phone
  from added a join phones on kind = a.name`;
