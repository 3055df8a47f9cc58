import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import webpushLibrary from 'web-push';
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

const EVENT = '/api/o/demo/p/shop/a/web/e/order-paid/';
/** A folder for pictures, to look at what was built. */
const { PICTURES } = process.env;

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

async function create(path: string, body: object): Promise<object> {
  const answer = await app.as(key).post(path).send(body);
  expect([answer.status, answer.status === 201 ? null : answer.text]).toEqual([201, null]);
  return answer.body as object;
}

let rule: string;
beforeAll(async () => {
  const { publicKey, privateKey } = webpushLibrary.generateVAPIDKeys();
  const config = { public_key: publicKey, private_key: privateKey, subject: 'mailto:ops@demo.test' };
  await create('/api/o/demo/c/', { slug: 'browser', name: 'Browsers', type: 'webpush', config });
  const template = {
    channel: 'browser',
    subject: 'Order {{ order }} is on its way to you',
    text: 'Your parcel has left us.\nIt arrives on Friday between nine and eleven. You can follow it on its way, and tell the driver where to leave it.',
    url: '/orders/{{ order }}',
    image: 'https://shop.test/{{ order }}.png',
    actions: [
      { label: 'Track the parcel', url: 'https://parcels.test/{{ order }}' },
      { label: 'Change the day', url: '/orders/{{ order }}/day' },
    ],
    data: { order: '{{ order }}' },
  };
  const given = { name: 'Push', to: 'recipients', templates: [template] };
  const { id } = (await create(`${EVENT}n/`, given)) as { id: number };
  rule = `o/demo/events/shop/web/order-paid?rule=${id}`;
  const options = { recipients: ['ann@example.com'], send_at: '2099-01-01T00:00:00Z' };
  await create(`${EVENT}trigger/`, { context: { order: 'A-99', total: 12 }, options });
});

const shownOn = (page: Page) => page.getByRole('article', { name: 'The message on a phone' });

it('a push message is shown as a phone shows it, unfolded and folded, with what the channel takes', async () => {
  const { page, complaints } = await signIn(browser, app, key, { viewport: { width: 1440, height: 1000 } });
  await open(page, app, rule);
  const phone = shownOn(page);
  await phone.getByText('Order A-99 is on its way to you').waitFor();
  expect((await phone.innerText()).split(/\n+/)).toEqual([
    ...['W', 'Web shop', 'now', 'Order A-99 is on its way to you', 'Your parcel has left us.'],
    expect.stringMatching(/^It arrives/),
    ...['Picture of shop.test', 'Track the parcel', 'Change the day'],
  ]);
  await page.getByText('At most 200 characters: the end of a longer one is cut.').waitFor();
  await page.getByText('The whole message has at most 3,993 bytes: the end of a longer text is cut.').waitFor();
  await page
    .getByText('At most 3,400 bytes. The channel has these keys for itself: occurrence, event, category.')
    .waitFor();
  await page.getByRole('button', { name: 'Folded', exact: true }).click();
  await phone.getByText('Picture of shop.test').waitFor({ state: 'detached' });
  expect(await phone.getByRole('listitem').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('keys that the channel has for itself are refused at their editor', async () => {
  const { page } = await signIn(browser, app, key, { viewport: { width: 1440, height: 1000 } });
  await open(page, app, rule);
  await shownOn(page).waitFor();
  const data = page.locator('[data-part=data]');
  await data.locator('.cm-content').fill('{ "event": "mine" }');
  await data.getByText('cannot have the key event: channels of the type webpush use it').waitFor();
  await page.context().close();
});

it.each(['light', 'dark'] as const)('the phone is sound at 390 px and on a wide screen, %s', async (colorScheme) => {
  for (const viewport of [PHONE, { width: 1440, height: 1000 }]) {
    const { page } = await signIn(browser, app, key, { viewport, colorScheme });
    await open(page, app, rule);
    await shownOn(page).getByText('Track the parcel').waitFor();
    await settled(page);
    await picture(page, `push-${viewport.width}-${colorScheme}`);
    await page
      .getByRole('button', { name: colorScheme === 'light' ? 'Dark' : 'Light', exact: true })
      .last()
      .click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await isWiderThanWindow(page)).toBe(false);
    await picture(page, `push-${viewport.width}-${colorScheme}-other`);
    await page.context().close();
  }
});
