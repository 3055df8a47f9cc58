import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { englishOn } from '../support/console-language.js';
import { createFolder } from '../support/folder.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';

let app: TestApp;
let key: string;
let browser: Browser;
useDemo((demo) => ({ app, key } = demo));
useBrowser((started) => (browser = started));

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const file = (text: string, encoding: BufferEncoding = 'utf8') => ({
  name: 'users.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text, encoding),
});

const LINES = [
  'E-Mail;Vorname;Telefon;Zeitzone;Team;Listen',
  "zoe@example.com;Zoë;'+43 660 1112223;Europe/Vienna;night;Staff",
  'ann@example.com;;;;night;',
  'tom@example.com;Tom;12;Mars/Base;;Crew',
  'tom;Tom;;;;',
];

it('imports a CSV file: its columns, a check that names line and column, the import, and what was refused', async () => {
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people');
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByLabel('CSV file').setInputFiles(file(LINES.join('\r\n'), 'latin1'));
  await page.getByText('users.csv, 4 lines').waitFor();
  expect(await page.getByLabel('Separator').inputValue()).toBe(';');
  const becomes = (column: string) => page.getByLabel(`What ${column} becomes`, { exact: true });
  const guessed = ['E-Mail', 'Vorname', 'Telefon', 'Zeitzone', 'Team', 'Listen'].map((name) =>
    becomes(name).inputValue(),
  );
  expect(await Promise.all(guessed)).toEqual([
    ...['email', 'first_name', 'address.', 'time_zone', 'custom_fields.', 'list'],
  ]);
  await becomes('E-Mail').selectOption('Nothing: leave it out');
  await page.getByText('Choose the column with the e-mail').waitFor();
  expect(await button(page, 'Check 4 lines').isDisabled()).toBe(true);
  await becomes('E-Mail').selectOption('E-mail');
  await page.getByLabel('Name of the custom field for Team').fill('shift');
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-import-columns');

  await button(page, 'Check 4 lines').click();
  await page.getByRole('heading', { name: 'What the import would do' }).waitFor();
  const refused = page.getByRole('table', { name: 'Refused lines' });
  expect(await refused.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Line\s+Column/),
    expect.stringMatching(/^4\s+Telefon\s+12\s+must be an international phone number/),
    expect.stringMatching(/^4\s+Zeitzone\s+Mars\/Base\s/),
    expect.stringMatching(/^5\s+E-Mail\s+tom\s+must be an e-mail/),
  ]);
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-import-check');
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await look(page, 'console-import-phone');
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await isWiderThanWindow(page)).toBe(false);
  expect((await app.as(key).get('/api/o/demo/u/zoe@example.com/')).status).toBe(404);

  await button(page, 'Import 2 lines').click();
  await page.getByRole('heading', { name: 'Imported' }).waitFor();
  const saved = page.waitForEvent('download');
  await button(page, 'Download refused lines').click();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv.split('\r\n')[0]).toBe('\ufeffE-Mail;Vorname;Telefon;Zeitzone;Team;Listen;import_line;import_error');
  expect(csv).toContain('tom@example.com;Tom;12;Mars/Base;;Crew;4;"Telefon: must be');
  const whole = async (email: string) =>
    (await app.as(key).get(`/api/o/demo/users/${email}/`).expect(200)).body as object;
  expect(await whole('zoe@example.com')).toMatchObject({
    ...{ first_name: 'Zoë', time_zone: 'Europe/Vienna', custom_fields: { shift: 'night' } },
    addresses: [{ name: 'phone', value: '+436601112223' }],
    memberships: [{ project: 'shop', distribution_list: 'Staff' }],
  });
  expect(await whole('ann@example.com')).toMatchObject({ first_name: 'Ann', custom_fields: { shift: 'night' } });
  await page.getByRole('link', { name: 'Show the users' }).click();
  await page.getByRole('link', { name: 'Zoë' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('imports pasted lines to a list, and says what cannot be read', async () => {
  const { page, complaints } = await signIn(browser, app, key, { locale: 'de-DE', viewport: PHONE });
  await open(page, app, 'o/demo/people/import');
  await page.getByLabel('CSV-Datei').setInputFiles(file('email\n"ann'));
  await page.getByText('Das lässt sich nicht als CSV lesen').waitFor();
  const folder = createFolder();
  const large = join(folder.path, 'large.csv');
  writeFileSync(large, Buffer.alloc(21 * 1024 * 1024, 'x'));
  await page.getByLabel('CSV-Datei').setInputFiles(large);
  await page.getByText('large.csv hat 21 MB; erlaubt sind 20 MB.').waitFor();
  folder.remove();
  await page.getByText('Stattdessen Zeilen einfügen').click();
  const lines = Array.from({ length: 600 }, (_, i) => `many${i}@example.com\t${i}`);
  await page.getByLabel('Zeilen, mit Kopfzeile').fill(['mail\tnumber', ...lines].join('\n'));
  await button(page, 'Zeilen lesen').click();
  await page.getByText('Eingefügte Zeilen, 600 Zeilen').waitFor();
  await page.getByLabel('Alle auf eine Liste setzen').selectOption('shop/Staff');
  await button(page, '600 Zeilen prüfen').click();
  await button(page, '600 Zeilen importieren').click();
  await page.getByRole('heading', { name: 'Importiert' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await englishOn(page)).toEqual([]);
  expect(await isWiderThanWindow(page)).toBe(false);
  const { body } = await app.as(key).get('/api/o/demo/users/many599@example.com/').expect(200);
  expect(body).toMatchObject({ custom_fields: { number: '599' }, memberships: [{ distribution_list: 'Staff' }] });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('exports the users that the filters leave, and imports the edited file again', async () => {
  const add = (body: object) =>
    app.as(key).post('/api/o/demo/users/').type('application/x-ndjson').send(JSON.stringify(body));
  await add({
    ...{
      email: 'nora@example.com',
      first_name: '=1+1',
      last_name: 'Ö"zil',
      locale: 'pl-PL',
      time_zone: 'Europe/Warsaw',
    },
    ...{ custom_fields: { n: 3, deep: { a: [1] } }, addresses: [{ name: 'phone', value: '+48221234567' }] },
  }).expect(200);
  await add({ email: 'olga@example.com', first_name: 'Olga', locale: 'pl', locked: true }).expect(200);
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/people?locale=pl&order=desc');
  await page.getByRole('row').filter({ hasText: 'Olga' }).waitFor();
  await button(page, 'Export').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('the search and the filters leave').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await look(page, 'console-export');

  // A service that does not answer can be left.
  await page.route(/\/users\/\?/, () => undefined);
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  await dialog.getByText('0 users', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('button', { name: 'Close' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^demo-users-\d{4}-\d\d-\d\d\.csv$/);
  await dialog.getByText(/^2 users are in demo-users/).waitFor();
  const csv = readFileSync(await download.path(), 'utf8');
  expect(csv.split('\r\n')).toEqual([
    '\ufeffemail,first_name,last_name,locked,custom_fields,addresses,time_zone,quiet_hours,locale',
    'olga@example.com,Olga,,true,,,,,pl',
    'nora@example.com,\'=1+1,"Ö""zil",,"{""n"":3,""deep"":{""a"":[1]}}","[{""name"":""phone"",""value"":""+48221234567""}]",Europe/Warsaw,,pl-PL',
    '',
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize(PHONE);
  expect(await isWiderThanWindow(page)).toBe(false);
  await look(page, 'console-export-phone');
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await isWiderThanWindow(page)).toBe(false);

  await open(page, app, 'o/demo/people/import');
  await page.getByLabel('CSV file').setInputFiles(file(csv.replace(',Olga,,true,', ',Olga,Nowak,false,')));
  await button(page, 'Check 2 lines').click();
  await button(page, 'Import 2 lines').click();
  await page.getByRole('heading', { name: 'Imported' }).waitFor();
  const whole = async (email: string) =>
    (await app.as(key).get(`/api/o/demo/users/${email}/`).expect(200)).body as object;
  expect(await whole('olga@example.com')).toMatchObject({ first_name: 'Olga', last_name: 'Nowak', locked: false });
  expect(await whole('nora@example.com')).toMatchObject({
    ...{ first_name: '=1+1', last_name: 'Ö"zil', locale: 'pl-PL', time_zone: 'Europe/Warsaw' },
    ...{ custom_fields: { n: 3, deep: { a: [1] } }, addresses: [{ name: 'phone', value: '+48221234567' }] },
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('says that a file has the first users only, if others do not fit', async () => {
  const { page } = await signIn(browser, app, key, { locale: 'de-DE' });
  const users = Array.from({ length: 30 }, (_, i) => ({
    email: `u${i}@example.com`,
    custom_fields: { a: 'x'.repeat(2 ** 20) },
  }));
  await page.route(/\/users\/\?/, (route) => route.fulfill({ json: users }));
  await open(page, app, 'o/demo/people');
  await button(page, 'Exportieren').click();
  expect(await englishOn(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await button(page, 'CSV herunterladen').click();
  await saved;
  await page.getByText(/stehen die ersten 19 Benutzer/).waitFor();
  expect(await isWiderThanWindow(page)).toBe(false);
  await page.context().close();
});

it('offers no export to a key of a project, and no import to who may not write users', async () => {
  const { page } = await signIn(browser, app, await app.key({ org: 'demo', permissions: ['user:read'] }));
  await open(page, app, 'o/demo/people');
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
  expect(await button(page, 'Export').count()).toBe(1);
  await open(page, app, 'o/demo/people/import');
  await page.getByText('user:write').waitFor();
  await page.context().close();
  const bound = await app.key({ org: 'demo', project: 'shop', permissions: ['user:read'] });
  const { page: other } = await signIn(browser, app, bound);
  await open(other, app, 'o/demo/people');
  await other.getByRole('table', { name: 'Users' }).waitFor();
  expect(await button(other, 'Export').count()).toBe(0);
  await other.context().close();
});

async function look(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
}
