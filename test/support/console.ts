import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { complaintsOf } from './browser.js';
import type { TestApp } from './app/app.js';
import { giveHistory } from './world/history.js';

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Visit {
  page: Page;
  /** What no page of ours may do (test/support/browser.ts). */
  complaints: string[];
}

/** A browser of its own in which somebody is signed in with a key. */
export async function signIn(
  browser: Browser,
  app: TestApp,
  key: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const answer = await context.request.post(`${app.url}/api/session/`, { data: { key }, headers });
  if (answer.status() !== 201) throw new Error(`${answer.status()} ${await answer.text()}`);
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page, app.url) };
}

/** With `HISTORY=10000000` the demo has so many deliveries before the tests begin. */
export function useHistory(app: () => TestApp): void {
  const deliveries = Number(process.env.HISTORY ?? 0);
  if (deliveries > 0) beforeAll(() => giveHistory(app().databaseUrl, deliveries), 1_800_000);
}

/** No test begins with what another one has edited and not published. */
export function useNoDrafts(app: () => TestApp): void {
  afterEach(async () => void (await app().pool.query('delete from drafts')));
}

/** Opens a page of the console and waits until its content is there. */
export async function open(page: Page, app: TestApp, path: string): Promise<void> {
  await page.goto(`${app.url}/console/${path}`);
  await settled(page);
}

/** Until nothing is on its way any more: the heading is there, and no skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** What axe finds on a page: the rules of WCAG 2.2 AA, and its own best practices. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  }>('axe.run(document, { iframes: false })');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`),
  );
}

export async function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
}
