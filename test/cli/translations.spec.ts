import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp } from '../support/app/use.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const fileOf = (template: string, messages = '{}') => `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: inbox, name: Inbox, type: inbox }]
    projects:
      - slug: shop
        name: Shop
        messages: ${messages}
        distribution_lists: [{ name: All }]
        applications:
          - slug: web
            name: Web
            events:
              - { slug: paid, name: Paid, notifications: [{ name: Tell, distribution_list: All, templates: [${template}] }] }
`;

const apply = (file: string, ...more: string[]) =>
  cli(['apply', 'FILE', ...more], { DATABASE_URL: app.databaseUrl }, file);

it('lists missing and outdated translations, and refuses them with --strict-translations', async () => {
  const whole =
    '{ channel: inbox, subject: Paid, text: Thanks, translations: { de: { subject: Bezahlt, text: Danke } } }';
  const first = await apply(fileOf(whole), '--strict-translations');
  expect([first.code, first.stderr]).toEqual([0, '']);

  const missing = whole.replace('subject: Bezahlt, ', '');
  expect((await apply(fileOf(missing), '--dry-run')).stderr).toMatch(
    /notification acme\/shop\/web\/paid\/Tell: templates\.inbox\.translations\.de\.subject: is not translated: /,
  );

  const outdated = fileOf(whole.replace('Thanks', 'Thanks a lot'));
  const refused = await apply(outdated, '--strict-translations');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('nothing was changed: 1 translation is missing or outdated');
  const { rows } = await app.pool.query('select text from templates');
  expect(rows).toEqual([{ text: 'Thanks' }]);
  const applied = await apply(outdated);
  expect(applied.code).toBe(0);
  const of = /set translations\.de\.of to (\w{12}) if it still fits/.exec(applied.stderr)![1]!;

  const doctor = await cli(['doctor'], { DATABASE_URL: app.databaseUrl });
  expect(doctor.stdout).toMatch(/translations.*1 .*outdated.*acme/s);

  const confirmed = fileOf(whole.replace('Thanks', 'Thanks a lot').replace('text: Danke', `text: Danke, of: ${of}`));
  expect([(await apply(confirmed, '--strict-translations')).code, (await apply(confirmed)).stderr]).toEqual([0, '']);
});

it('lists messages that a language lacks', async () => {
  const messages = '{ en: { a: A, b: B }, de: { a: A } }';
  const { stderr, code } = await apply(fileOf('{ channel: inbox, text: Hi }', messages), '--strict-translations');
  expect([code, stderr]).toEqual([1, expect.stringContaining('messages.de.b: is not translated: ')]);
});

it('deletes a notification together with the message that it uses', async () => {
  const before = fileOf('{ channel: inbox, text: "{{ \'a\' | t }}" }', '{ en: { a: A, b: B } }');
  expect(await apply(before)).toMatchObject({ code: 0, stderr: '' });
  const after = before.replace(/notifications: .*\}/, 'notifications: [] }').replace('a: A, ', '');
  expect((await apply(after)).stderr).toContain('has no a, which web/paid/Tell uses (inbox)');
  expect(await apply(after, '--prune', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const { rows } = await app.pool.query(
    'select messages, (select count(*)::int from templates) templates from projects',
  );
  expect(rows).toEqual([{ messages: { en: { b: 'B' } }, templates: 0 }]);
});
