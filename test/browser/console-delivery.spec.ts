import { expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DEMO_OCCURRENCE } from '../../src/operate/provisioning/demo-occurrence.js';
import type { DeviceResult } from '../../src/rules/device/device-result.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const IPHONE: DeviceResult = {
  ...{ id: 1, app: 'com.acme.shop', device: 'phone-1', platform: 'ios', name: 'iPhone of Ann' },
  ...{ outcome: 'sent', answer: '200 accepted', at: '2026-11-01T08:00:00.000Z' },
};

it('a delivery names the devices that it went to, with the words of the provider about each', async () => {
  const lost: DeviceResult = { ...IPHONE, id: 2, device: 'phone-2', platform: 'android', name: '', outcome: 'gone' };
  const results = JSON.stringify([IPHONE, { ...lost, answer: '404 UNREGISTERED' }]);
  await app.pool.query(`update deliveries set devices = $1 where occurrence_id = $2 and user_id > 0`, [
    results,
    DEMO_OCCURRENCE,
  ]);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, `o/demo/occurrences/${DEMO_OCCURRENCE}`);
  await page.getByRole('button', { name: '1 attempt' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Devices' }).waitFor();
  const devices = dialog.getByRole('listitem').filter({ hasText: 'com.acme.shop' });
  expect(await devices.count()).toBe(2);
  expect(await devices.first().innerText()).toMatch(/iPhone of Ann\s+accepted\s+ios, com\.acme\.shop/);
  expect(await devices.last().innerText()).toMatch(/android, com\.acme\.shop\s+gone, and removed[^]*404 UNREGISTERED/);
  expect(await violationsOf(page)).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/delivery-devices.png` });
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(complaints).toEqual([]);
  await page.context().close();
});
