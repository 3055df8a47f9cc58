import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createDemo } from '../../src/operate/provisioning/demo.js';
import { TestApp } from '../support/app/app.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { DESKTOP, PHONE, isWiderThanWindow, open, settled, signIn, violationsOf } from '../support/console.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';

/** The port is known only after the start: tests put the address of the app in its place. */
const PUBLIC_URL = 'http://localhost:9';

let smtp: SmtpSink;
let app: TestApp;
let key: string;
let browser: Browser;
beforeAll(async () => {
  smtp = await SmtpSink.start();
  const SYSTEM_MAIL_URL = `smtp://127.0.0.1:${smtp.port}?security=none`;
  app = await TestApp.start({ PUBLIC_URL, SYSTEM_MAIL_URL, SYSTEM_MAIL_FROM: 'Carillon <no-reply@example.com>' });
  key = (await createDemo(app.app))!;
});
afterAll(async () => {
  await app.stop();
  await smtp.close();
});
useBrowser((started) => (browser = started));

/** The link in the newest of so many mails. */
async function linkOfMail(number: number): Promise<string> {
  await smtp.until(({ mails }) => mails.length >= number);
  const [link] = /http:\S+#t=crt_\w+/.exec(smtp.mails[number - 1]!.raw.toString())!;
  return link.replace(PUBLIC_URL, app.url);
}

it('an invited member signs in with the link of a mail, and later with another one', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/members');
  await page.getByRole('button', { name: 'Invite a member' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('eve@example.com');
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  await dialog.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByRole('dialog', { name: 'eve@example.com is invited' }).waitFor();
  expect(await dialog.getByRole('status').innerText()).toContain('on its way to eve@example.com');
  expect(await violationsOf(page)).toEqual([]);

  const eve = await (await browser.newContext({ viewport: DESKTOP })).newPage();
  const ofEve = complaintsOf(eve, app.url);
  await eve.goto(await linkOfMail(1));
  await eve.getByRole('heading', { name: 'Now' }).waitFor();
  await eve.getByText('Signed in as eve@example.com').waitFor();
  await eve.getByRole('button', { name: 'Sign out' }).click();
  await eve.getByLabel('E-mail').waitFor();
  await settled(eve);
  expect(await violationsOf(eve)).toEqual([]);
  await eve.setViewportSize(PHONE);
  expect(await isWiderThanWindow(eve)).toBe(false);
  await eve.getByLabel('E-mail').fill('eve@example.com');
  await eve.getByRole('button', { name: 'Send me a link' }).click();
  await eve.getByRole('status').waitFor();
  expect(await violationsOf(eve)).toEqual([]);
  await eve.goto(await linkOfMail(2));
  await eve.getByRole('heading', { name: 'Now' }).waitFor();
  expect([...complaints, ...ofEve]).toEqual([]);
  await eve.context().close();
  await page.context().close();
});

it('an API key still signs in, one click away', async () => {
  const page = await browser.newPage();
  await page.goto(`${app.url}/`);
  await page.getByText('Sign in with an API key').click();
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.close();
});
