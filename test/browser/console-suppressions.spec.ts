import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { englishOn } from '../support/console-language.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const stored = async () =>
  (await app.as(key).get('/api/o/demo/suppressions/').expect(200)).body as { value: string; cause: string }[];

const LINES = [
  'E-Mail;Reason;Project;Team',
  'ann@example.com;complaint;;ops',
  'gone@example.com;Asked by phone;shop;',
  'nobody;;;',
  'tom@example.com;;nowhere;',
  'ANN@example.com;Complaint;;',
];

it('imports suppressions from a CSV file: a check that names line and column, the import, and what was refused', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/suppressions');
  await page.getByRole('link', { name: 'Import' }).click();
  const buffer = Buffer.from(LINES.join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'gone.csv', mimeType: 'text/csv', buffer });
  await page.getByText('gone.csv, 5 lines').waitFor();
  await page.getByText('Not used: Team.').waitFor();
  await button(page, 'Check 5 lines').click();
  await page.getByRole('heading', { name: 'What the import would do' }).waitFor();
  const refused = page.getByRole('table', { name: 'Refused lines' });
  expect(await refused.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Line\s+Column/),
    expect.stringMatching(/^4\s+E-Mail\s+nobody\s+must be an e-mail address/),
    expect.stringMatching(/^5\s+Project\s+nowhere\s+does not exist/),
    expect.stringMatching(/^6\s+is about the same address as line 2/),
  ]);
  expect(await stored()).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-suppressions-check');
  for (const width of [PHONE.width, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await isWiderThanWindow(page)).toBe(false);
    if (width === PHONE.width) await look(page, 'console-suppressions-phone');
  }
  await button(page, 'Import 2 lines').click();
  await page.getByRole('heading', { name: 'Imported' }).waitFor();
  const saved = page.waitForEvent('download');
  await button(page, 'Download refused lines').click();
  const csv = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
  expect(csv[0]).toBe('\ufeffE-Mail;Reason;Project;Team;import_line;import_error');
  expect(csv).toContain('tom@example.com;;nowhere;;5;Project: does not exist');
  await page.getByRole('link', { name: 'Show the suppressions' }).click();
  // An address leads to its user.
  await page.getByRole('link', { name: 'ann@example.com' }).click();
  await page.getByRole('link', { name: 'Ann Lee' }).waitFor();
  expect((await stored()).sort((a, b) => a.value.localeCompare(b.value))).toMatchObject([
    { value: 'ann@example.com', cause: 'complaint', project: null, evidence: {} },
    { value: 'gone@example.com', cause: 'manual', project: 'shop', evidence: { note: 'Asked by phone' } },
  ]);
  expect(complaints.filter((each) => !each.includes('400'))).toEqual([]);
  await page.context().close();
});

it('suppresses pasted addresses, and takes a thousand lines at most', async () => {
  const { page } = await signIn(browser, app, key, { locale: 'de-DE', viewport: PHONE });
  await open(page, app, 'o/demo/suppressions/import');
  await page.getByText('Stattdessen Zeilen einfügen').click();
  const paste = async (lines: string[]) => {
    await page.getByRole('textbox', { name: 'Zeilen' }).fill(lines.join('\n'));
    await button(page, 'Zeilen lesen').click();
  };
  const many = Array.from({ length: 1001 }, (_, i) => `many${i}@example.com`);
  await paste(many);
  await page.getByText('Es sind 1.001 Zeilen; erlaubt sind 1.000.').waitFor();
  await paste(['name', 'Ann']);
  await page.getByText('Keine Spalte heißt wie eine Adresse').waitFor();
  await paste(many.slice(0, 30));
  await button(page, '30 Zeilen prüfen').click();
  await button(page, '30 Zeilen importieren').click();
  await page.getByRole('heading', { name: 'Importiert' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await englishOn(page)).toEqual([]);
  expect(await isWiderThanWindow(page)).toBe(false);
  expect((await stored()).filter(({ value }) => value.startsWith('many'))).toHaveLength(30);
  await page.context().close();
});

it('offers no import of suppressions to who may not write them', async () => {
  const reader = await app.key({ org: 'demo', permissions: ['user:read', 'suppression:read'] });
  const { page } = await signIn(browser, app, reader);
  await open(page, app, 'o/demo/suppressions');
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
  await open(page, app, 'o/demo/suppressions/import');
  await page.getByText('suppression:write').waitFor();
  await page.context().close();
});

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
}
