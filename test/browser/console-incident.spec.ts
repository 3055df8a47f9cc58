import { expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { useBrowser } from '../support/browser.js';
import { PHONE, isWiderThanWindow, open, signIn, violationsOf } from '../support/console.js';
import { passMinutes, quiet } from '../support/world/steps.js';

const EVENTS = '/api/o/demo/p/shop/a/web/e/';
const LAPTOP = { width: 1024, height: 768 };

let app: TestApp;
let key: string;
let browser: Browser;
useDemo(async (demo) => {
  ({ app, key } = demo);
  const templates = ['inbox', 'pager'].map((channel) => ({ channel, text: 'Look' }));
  await post('/api/o/demo/c/', { slug: 'pager', name: 'Pager', type: 'inbox', config: {} });
  await post(EVENTS, { slug: 'disk', name: 'Disk full' });
  await post(EVENTS, { slug: 'disk-ok', name: 'Disk works again', resolves_event: 'disk' });
  await post(`${EVENTS}disk/n/`, {
    ...{ name: 'Somebody look', distribution_lists: ['Staff'], thread: 'incident', templates },
    steps: [
      { channels: ['inbox'] },
      { after: '10m', unless: 'acknowledged', channels: ['pager'], repeat: { every: '10m', times: 3 } },
    ],
  });
});
useBrowser((started) => (browser = started));

async function post(path: string, body: object): Promise<{ occurrence: string }> {
  const { status, body: answer } = await app.as(key).post(path).send(body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer as { occurrence: string };
}

async function trigger(event: string, incident: string): Promise<string> {
  const { occurrence } = await post(`${EVENTS}${event}/trigger/`, { context: { incident } });
  await quiet(app.pool, occurrence);
  return occurrence;
}

/** Axe finds nothing in the light and in the dark, and nothing overflows on a phone and a small laptop. */
async function isFine(page: Page, name: string): Promise<void> {
  for (const viewport of [LAPTOP, PHONE]) {
    await page.setViewportSize(viewport);
    expect(await isWiderThanWindow(page)).toBe(false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page)).toEqual([]);
    }
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${name}-${viewport.width}.png`,
        fullPage: true,
      });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

it('an incident: the list says what is open, who acknowledged it and what ended it, and its page what is not sent any more', async () => {
  const id = await trigger('disk', 'D-1');
  const { page, complaints } = await signIn(browser, app, key);
  await open(page, app, 'o/demo/occurrences');
  await page.getByRole('button', { name: 'Only open' }).click();
  const rows = page.getByRole('table', { name: 'Occurrences' }).locator('tbody tr');
  await rows.getByText('nobody has acknowledged it').waitFor();
  expect(await rows.count()).toBe(1);
  expect(await rows.innerText()).toMatch(/next step in \d+ min/);
  expect(page.url()).toContain('open=');
  await isFine(page, 'open');
  await passMinutes(app, id, 10);
  await passMinutes(app, id, 10);
  await rows.getByRole('link').first().click();
  await page.getByRole('button', { name: 'sent 2 times' }).first().waitFor();
  await post(`/api/o/demo/occurrences/${id}/acknowledge/`, { user: 'ann@example.com', note: 'On my way' });
  await open(page, app, `o/demo/occurrences/${id}`);
  const note = page.getByRole('status').filter({ hasText: 'Acknowledged by' });
  await note.getByRole('link', { name: 'ann@example.com' }).waitFor();
  expect((await note.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /over the API or in the console: On my way Not sent any more: step 2 over Pager \(Somebody look\): up to 2 more times It stays open until an event says that it is over\./,
  );
  await isFine(page, 'acknowledged');
  await open(page, app, 'o/demo/occurrences?open=1');
  await rows.getByText('acknowledged', { exact: true }).waitFor();
  expect(await rows.innerText()).toMatch(/by ann@example\.com .*, not over yet/);
  const end = await trigger('disk-ok', 'D-1');
  await open(page, app, 'o/demo/occurrences?open=1');
  await page.getByText('Nothing is open').waitFor();
  await page.getByRole('button', { name: 'Only open' }).click();
  const row = rows.filter({ hasText: 'over' }).first();
  expect(await row.getByRole('link', { name: 'Disk works again' }).getAttribute('href')).toContain(end);
  await isFine(page, 'over');
  await open(page, app, `o/demo/occurrences/${id}`);
  await page.getByRole('status').filter({ hasText: 'Over since' }).getByText('Not sent any more').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the page of an occurrence never shows two different numbers of deliveries', async () => {
  const id = await trigger('disk', 'D-2');
  const { page, complaints } = await signIn(browser, app, key);
  let asked = 0;
  // The first answer is older than the one about the occurrence itself.
  await page.route('**/explain/', async (route) => {
    const answer = await route.fetch();
    const explained = (await answer.json()) as { total: number; outcomes: { sent: number } };
    const old = { ...explained, total: 0, outcomes: { ...explained.outcomes, sent: 0 }, sentence: 'Older.' };
    await route.fulfill({ response: answer, json: asked++ === 0 ? old : explained });
  });
  await open(page, app, `o/demo/occurrences/${id}`);
  const facts = page.getByRole('heading', { name: 'Facts' }).locator('..');
  const shown = await page.locator('.progress .figure').innerText();
  expect(await facts.innerText()).toMatch(new RegExp(`Of ${shown} deliver`));
  expect(asked).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
  await page.context().close();
});
