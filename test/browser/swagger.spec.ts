import { describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { isStream } from '../support/contract/contract.js';
import { tries } from '../support/contract/try-out.js';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

/** The page, after the person has pasted the key. */
async function openDocs(viewport: typeof DESKTOP): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport });
  const complaints = complaintsOf(page, app.url);
  await page.goto(`${app.url}/api/docs/`);
  await page.locator('.btn.authorize').first().click();
  await page.locator('.modal-ux input').fill(key);
  await page.locator('.modal-ux .btn.authorize').click();
  await page.locator('.modal-ux .btn-done').click();
  return { page, complaints };
}

type Try = (typeof tries)[number];

/** Opens an operation and its group, presses "Execute" and says what the page shows. */
async function press(page: Page, { operation: { operationId, method, tags }, operation }: Try): Promise<string> {
  const group = page.locator(`.opblock-tag[data-tag="${tags![0]}"]`);
  await group.click();
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === method && response.url().includes('/api/')),
    block.locator('button.execute').click(),
  ]);
  // The answer of a stream goes on, so the page does not show it.
  const shown = isStream(operation)
    ? String(answer.status())
    : await block.locator('.live-responses-table .response-col_status').last().innerText();
  await block.locator('.opblock-summary-control').click();
  await group.click();
  return shown.trim().slice(0, 3);
}

/** Answers what was not as it should be. */
async function pressAll(all: Try[]): Promise<string[]> {
  const { page, complaints } = await openDocs(DESKTOP);
  const wrong: string[] = [];
  for (const each of all) {
    const shown = await press(page, each);
    if (shown !== String(each.status)) wrong.push(`${each.operation.operationId}: ${shown} instead of ${each.status}`);
  }
  await page.close();
  return [...wrong, ...complaints];
}

describe('Swagger UI', () => {
  it('"Execute" works as filled in, on every operation of the demo', async () => {
    const all = tries.filter(({ operation }) => operation.path.startsWith('/api/'));
    const isLast = ({ operation: { method } }: Try) => method === 'DELETE';
    const [first, last] = [all.filter((each) => !isLast(each)), all.filter(isLast)];
    // To open an operation takes Swagger UI half a second, so two pages share the work.
    const half = Math.ceil(first.length / 2);
    const wrong = await Promise.all([pressAll(first.slice(0, half)), pressAll(first.slice(half))]);
    expect([...wrong.flat(), ...(await pressAll(last))]).toEqual([]);
  }, 300_000);

  it('fits on a phone', async () => {
    const { page, complaints } = await openDocs(PHONE);
    const isWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
    expect(await isWide()).toBe(false);
    const ping = tries.find(({ operation }) => operation.operationId === 'ping')!;
    expect(await press(page, ping)).toBe('200');
    expect(await isWide()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});
