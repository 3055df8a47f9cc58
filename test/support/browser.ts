import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from '@jest/globals';
import { patient } from './until.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium without the parts that draw windows: it takes a quarter less CPU. It shows no notifications. */
const SHELL = '/usr/bin/chromium-headless-shell';

function chromiumPath(notifies: boolean): string {
  const places = notifies ? CHROMIUM : [SHELL, ...CHROMIUM];
  const found = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
  if (found) return found;
  throw new Error('The browser tests need Chromium: `apt-get install chromium`, or set CHROMIUM to the path of one.');
}

/** One browser for all tests of a file. It does not call home, so every request to another host is one of our pages. */
export function useBrowser(given: (browser: Browser) => unknown, { notifies = false } = {}): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const args = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
    // Chromium's sandbox does not work for root.
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath: chromiumPath(notifies), args, chromiumSandbox: !isRoot });
    browser.on('context', (context) => context.setDefaultTimeout(patient(30_000)));
    await given(browser);
  });
  afterAll(() => browser?.close());
}

/** What no page of ours may do: report an error, break its Content-Security-Policy, or call another host. */
export function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (line) => {
    // Chromium reports every answer above 400 this way. A test checks the status of the answers itself.
    const isAnswer = line.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (line.type() === 'error' && !isAnswer) complaints.push(`console: ${line.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`request to ${request.url()}`);
  });
  return complaints;
}
