import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';

const DEMO = 'src/operate/provisioning/demo.yaml';
const VALIDATOR = 'node_modules/html-validate/bin/html-validate.mjs';

/** Rules for web pages that a mail has to break. */
const RULES = {
  // Outlook on Windows needs comments of its own, and attributes in place of styles.
  'no-conditional-comment': 'off',
  'no-deprecated-attr': 'off',
  // Some mail programs drop the style sheet.
  'no-inline-style': 'off',
  // A matter of taste, and of bytes.
  'doctype-style': 'off',
  'prefer-tbody': 'off',
  // Tables of Markdown have one row of headings: which cells these are about is clear.
  'wcag/h63': 'off',
};

let folder: TestFolder;
beforeAll(() => {
  folder = createFolder();
  const config = { root: true, extends: ['html-validate:recommended', 'html-validate:a11y'], rules: RULES };
  writeFileSync(join(folder.path, 'config.json'), JSON.stringify(config));
});
afterAll(() => folder.remove());

/** What the validator says about a page; empty: nothing. */
function problemsOf(file: string): string {
  const config = join(folder.path, 'config.json');
  const { stdout, stderr } = spawnSync(process.execPath, [VALIDATOR, '--config', config, '--formatter', 'text', file], {
    encoding: 'utf8',
  });
  return stdout + stderr;
}

it('is valid in the mail of the demo, which has a logo, a button, a table and a footer', async () => {
  const file = join(folder.path, 'mail.html');
  const context = JSON.stringify({ order: 'A-17', total: 120 });
  const args = ['preview', DEMO, '--channel', 'mail', '--context', context, '--html', file];
  const { code, stdout } = await cli([...args, '--json'], {});
  // The checks of a preview find nothing either.
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { messages: [expect.objectContaining({ checks: [] })], warnings: [] },
  ]);
  const html = readFileSync(file, 'utf8');
  expect(html).toMatch(/<img class="logo" src="data:image\/png;base64,[^"]+" alt="Demo" width="\d+" height="\d+"/);
  expect(html).toContain('>Show your order</a>');
  expect(html).toMatch(/Springfield<\/p>[^]*>Preferences<\/a>/);
  expect(html.length).toBeLessThan(102 * 1024);
  expect(problemsOf(file)).toBe('');
});

it('is valid around a text, without a brand, with a link to unsubscribe', async () => {
  const templates = [
    { channel: 'mail', subject: 'Hi', text: 'Hi & bye\n\nhttps://acme.test/?a=1&b=2', layout: 'default' },
  ];
  const notifications = [{ name: 'Tell', templates }];
  const applications = [
    { slug: 'web', name: 'Web', events: [{ slug: 'paid', name: 'Paid', category: 'news', notifications }] },
  ];
  const config = { host: 'mail.example.com', from: 'a@acme.test' };
  const channels = [{ slug: 'mail', name: 'Mail', type: 'email', config }];
  const categories = [{ slug: 'news', name: 'News' }];
  const projects = [{ slug: 'shop', name: 'Shop', channels, categories, applications }];
  const file = join(folder.path, 'plain.html');
  const given = JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme & Co', projects }] });
  expect(await cli(['preview', 'FILE', '--html', file], {}, given)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toMatch(/>Unsubscribe<\/a>.*>Preferences<\/a>/);
  expect(problemsOf(file)).toBe('');
});

it('notices a mail that is not valid', () => {
  const file = join(folder.path, 'wrong.html');
  writeFileSync(
    file,
    '<!doctype html><html lang="en"><head><title>Hi</title></head><body><p><img src="a.png"></b></body>',
  );
  expect(problemsOf(file)).toMatch(/alt|close-order/);
});
