import { describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { violationsOf } from '../support/console.js';
import { isStream } from '../support/contract/contract.js';
import type { Operation } from '../support/contract/contract.js';
import { OPERATIONS } from '../support/contract/operations.js';
import { tries } from '../support/contract/try-out.js';
import { useSubPath } from '../support/sub-path.js';
import { until } from '../support/until.js';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

// CI sets it to save a minute: test/shape/examples.spec.ts sends the same requests for all operations.
const BASIC_ONLY = process.env.BASIC_ONLY === '1';
const isBasic = ({ method, path }: Operation) =>
  OPERATIONS.some((basic) => basic.path === path && basic.method.toUpperCase() === method);

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

/** The page, after the person has pasted the key. */
async function openDocs(viewport: typeof DESKTOP, url = app.url): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport });
  const complaints = complaintsOf(page, new URL(url).origin);
  await page.goto(`${url}/api/docs/`);
  await page.locator('.btn.authorize').first().click();
  await page.locator('#api_key_value').fill(key);
  await page.locator('.modal-ux .btn.authorize').first().click();
  await page.locator('.modal-ux .btn-done').first().click();
  return { page, complaints };
}

type Try = (typeof tries)[number];

const groupOf = ({ operation: { tags } }: Try) => tags![0]!;

/** Swagger UI draws only the operations near the window. Those of one group all are. */
const showGroup = (page: Page, group: string) => page.locator('.operation-filter-input').fill(group);

/** Opens an operation, presses "Execute" and says what the page shows. */
async function press(page: Page, each: Try): Promise<string> {
  const { operation } = each;
  await showGroup(page, groupOf(each));
  const block = page.locator(`.opblock[id$="-${operation.operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === operation.method && response.url().includes('/api/'),
    ),
    block.locator('button.execute').click(),
  ]);
  // The answer of a stream goes on, so the page does not show it.
  const shown = isStream(operation)
    ? String(answer.status())
    : await block.locator('.live-responses-table .response-col_status').last().innerText();
  await block.locator('.opblock-summary-control').click();
  return shown.trim().slice(0, 3);
}

/** Presses them all, and answers what was not as it should be. */
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

const ping = tries.find(({ operation }) => operation.operationId === 'ping')!;
const subPath = useSubPath('/tools/carillon');

/** The page as a person finds it who prefers these colors. */
async function openIn(colorScheme: 'light' | 'dark', viewport = DESKTOP): Promise<Page> {
  const page = await browser.newPage({ viewport, colorScheme });
  await page.goto(`${app.url}/api/docs/`);
  await page.locator('.opblock').first().waitFor();
  return page;
}

const IS_DARK = `document.documentElement.classList.contains('dark-mode')`;

describe('Swagger UI', () => {
  it('"Execute" works as filled in, on every operation of the demo', async () => {
    const all = tries.filter(
      ({ operation }) => operation.path.startsWith('/api/') && (!BASIC_ONLY || isBasic(operation)),
    );
    const isLast = ({ operation: { method } }: Try) => method === 'DELETE';
    const [first, last] = [all.filter((each) => !isLast(each)), all.filter(isLast)];
    // To open an operation takes Swagger UI half a second, so two pages share the work.
    const groups = [...new Set(first.map(groupOf))];
    const halves = [0, 1].map((half) => groups.filter((_, i) => i % 2 === half));
    const inTurn = (half: string[]) => half.flatMap((group) => first.filter((each) => groupOf(each) === group));
    const wrong = await Promise.all(halves.map((half) => pressAll(inTurn(half))));
    expect([...wrong.flat(), ...(await pressAll(last))]).toEqual([]);
  });

  it('fits on a phone', async () => {
    const { page, complaints } = await openDocs(PHONE);
    const isWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
    expect(await isWide()).toBe(false);
    expect(await press(page, ping)).toBe('200');
    expect(await isWide()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('works below a sub-path, behind a proxy that strips it', async () => {
    const origin = await subPath(app.url);
    const { page, complaints } = await openDocs(DESKTOP, `${origin}/tools/carillon`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    expect(await press(page, ping)).toBe('200');
    expect(asked).toContain(`${origin}/tools/carillon/api/system/ping/`);
    expect(asked.filter((url) => !url.startsWith(`${origin}/tools/carillon/api/`))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows every operation without a click', async () => {
    const page = await openIn('light');
    const seen = new Set<string>();
    for (let atEnd = false; !atEnd;) {
      const ids = await page.locator('.opblock:visible').evaluateAll((all) => all.map((each) => each.id));
      ids.forEach((id) => seen.add(id));
      atEnd = await page.evaluate<boolean>('scrollY + innerHeight >= document.documentElement.scrollHeight - 1');
      await page.mouse.wheel(0, DESKTOP.height / 2);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    const missing = tries.filter(
      ({ operation: { operationId } }) => ![...seen].some((id) => id.endsWith(`-${operationId}`)),
    );
    expect(missing.map(({ operation }) => operation.operationId)).toEqual([]);
    await page.close();
  });

  it('follows the dark colors of the system, and can be read in them', async () => {
    const page = await openIn('dark');
    expect(await page.evaluate(IS_DARK)).toBe(true);
    await showGroup(page, 'Events');
    const block = page.locator('.opblock[id$="-triggerEvent"]');
    await block.locator('.opblock-summary-control').click();
    await block.locator('.opblock-body .responses-table').waitFor();
    expect((await violationsOf(page)).filter((violation) => violation.startsWith('color-contrast'))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    // Not `waitForFunction`, which the page's Content-Security-Policy would refuse.
    await until(5000, async () => !(await page.evaluate(IS_DARK)));
    await page.close();
  });
});
