import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { englishOn } from '../support/console-language.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  const category = { slug: 'offers', name: 'Offers of the week' };
  await app.as(key).post('/api/o/demo/p/shop/categories/').send(category).expect(201);
});
useBrowser((started) => (browser = started));

const results = (page: Page) => page.getByRole('listbox', { name: 'What was found' });
const result = (page: Page, name: RegExp) => results(page).getByRole('option', { name });

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(words);
}

it.each([
  ['ann', /^Ann Lee .*User$/, /people\/ann(@|%40)example\.com$/],
  ['order paid', /^Order paid .*Event$/, /events\/shop\/web\/order-paid$/],
  ['tell the', /^Tell the staff .*Notification$/, /events\/shop\/web\/order-paid\?rule=1$/],
  ['inbox', /^Inbox .*Channel$/, /channels\/-\/inbox$/],
  ['manag', /^Management .*List$/, /lists\/shop\/\d+$/],
  ['offers', /^Offers of the week .*Category$/, /categories\?project=shop&search=Offers/],
  ['button', /^button .*Layout$/, /layouts\/-\/partial\/button$/],
  ['shop', /^Shop .*Project$/, /events\?q=Shop$/],
  ['a-16', /^Order paid a-16.*Occurrence$/i, new RegExp(`occurrences/${DEMO_OCCURRENCE}$`)],
  [DEMO_OCCURRENCE, /Occurrence$/, new RegExp(`occurrences/${DEMO_OCCURRENCE}$`)],
  ['suppr', /^Suppressions .*Page$/, /suppressions$/],
])('Ctrl-K finds %s and leads there', async (words, name, address) => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/audit');
  await search(page, words);
  await result(page, name).first().click();
  await page.waitForURL(address);
  await page.locator('h1').first().waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('keeps what is typed before its file is there', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/palette-[^/]*\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await open(page, app, 'o/demo');
  for (const pressed of ['Control+k', 'a', 'n']) await page.keyboard.press(pressed);
  await page.waitForFunction('document.activeElement.value');
  expect(await results(page).count()).toBe(0);
  arrive();
  await results(page).waitFor();
  await page.keyboard.press('n');
  await result(page, /^Ann Lee .*User$/).waitFor();
  expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('ann');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('arrows choose, Enter opens, and what is found later does not move the choice', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo');
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search' });
  const chosen = results(page).getByRole('option', { selected: true });
  expect(await chosen.innerText()).toContain('Now');
  await page.keyboard.press('ArrowUp');
  expect(await chosen.innerText()).toContain('Sign out');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await chosen.innerText()).toContain('Occurrences');
  expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/palette.png` });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Occurrences', exact: true }).waitFor();

  await search(page, 'order');
  await result(page, /Order paid .*Event$/).waitFor();
  await page.keyboard.press('ArrowDown');
  const second = await chosen.innerText();
  await page
    .getByRole('status')
    .filter({ hasText: /^\d+ results?$/ })
    .waitFor({ state: 'attached' });
  expect(await chosen.innerText()).toBe(second);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/palette-order.png` });
  await input.fill('nothing is called so');
  await results(page).getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('it does things from any page: a new user, a new event, stop, the theme, the keys, signing out', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/audit');
  const dialog = page.getByRole('dialog');
  for (const [words, title] of [
    ['new user', 'New user'],
    ['new event', 'New event'],
    ['new project', 'New project'],
    ['new channel', 'New channel'],
    ['new list', 'New list'],
    ['new category', 'New category'],
    ['stop', 'Stop'],
    ['keyboard', 'Keyboard shortcuts'],
  ] as const) {
    await search(page, words);
    await result(page, /Action$/)
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await page.keyboard.press('?');
  await dialog.getByText('Go to the filter of the page').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await search(page, 'dark');
  await result(page, /^Switch to dark/).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await search(page, 'sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('it offers only what the session may do, on a phone and in German', async () => {
  const permissions = ['organization:read', 'occurrence:read'] as const;
  const viewer = await app.key({ org: 'demo', permissions });
  const { page, complaints } = await signIn(browser, app, viewer, { locale: 'de-DE', viewport: PHONE });
  await open(page, app, 'o/demo');
  await page.getByRole('button', { name: 'Suchen' }).click();
  const options = page.getByRole('option');
  await options.first().waitFor();
  expect(await options.filter({ hasText: /Neue|anhalten/ }).count()).toBe(0);
  expect(await options.filter({ hasText: 'Abmelden' }).count()).toBe(1);
  expect(await englishOn(page)).toEqual([]);
  expect([await violationsOf(page), await isWiderThanWindow(page)]).toEqual([[], false]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/palette-phone.png` });
  expect(complaints).toEqual([]);
  await page.context().close();
});
