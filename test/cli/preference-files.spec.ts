import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { builtInTypes } from '../../src/dispatcher/provider/built-in.js';
import { planText } from '../../src/operate/cli/print/plan.js';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import { ImportService } from '../../src/operate/provisioning/user-files/import.service.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';

const ALL_TYPES = ['email', 'webhook', 'webpush', 'inbox', 'log', 'http', ...builtInTypes()];
const TYPES = `${ALL_TYPES.slice(0, 30).join(', ')} and ${ALL_TYPES.length - 30} more`;

// YAML 1.2 reads on and off as texts, true and false as booleans.
const ACME = `
organizations:
  - slug: acme
    name: Acme Inc
    channels: [{ slug: box, name: Box, type: inbox }]
    users:
      - email: Ann@acme.test
        preferences:
          channels: { sms: off }
          categories: { news: { email: off, all: on }, offers: false }
          events: { web/article: off }
      - { email: bob@acme.test, preferences: { categories: { shop/news: true } } }
      - { email: cy@acme.test }
    projects:
      - slug: shop
        name: Shop
        categories:
          - { slug: news, name: News, description: What is new, default: on, channels: { sms: off } }
          - { slug: offers, name: Offers, default: off }
          - { slug: security, name: Security, default: required }
        applications:
          - slug: web
            name: Web shop
            events:
              - { slug: article, name: Article, category: news }
              - { slug: login, name: Login, category: security }
              - { slug: paid, name: Paid }
`;

let app: TestApp;
useApp({}, (started) => (app = started));
beforeEach(() => app.empty());

const apply = async (file: string, prune = false) =>
  planText(await app.app.get(ProvisioningService).apply(file, { prune }));
const problemsOf = (file: string, prune = false) =>
  apply(file, prune).catch((error: Error) => error.message.replaceAll(/^line \d+: /gm, '').split('\n'));

async function exported(): Promise<string> {
  let text = '';
  for await (const part of app.app.get(ExportService).organization('acme', { people: true })) text += part;
  return text;
}

async function choices(): Promise<string[]> {
  const { rows } = await app.pool.query<{ text: string }>(
    `select concat_ws(' ', u.email, c.slug, e.slug, nullif(f.channel_type, ''), case when is_on then 'on' else 'off' end, chosen_by) text
     from preferences f join users u on u.id = f.user_id left join categories c on c.id = f.category_id left join events e on e.id = f.event_id
     order by 1`,
  );
  return rows.map(({ text }) => text);
}

const ALL_CHOICES = [
  'Ann@acme.test article off key',
  'Ann@acme.test news email off key',
  'Ann@acme.test news on key',
  'Ann@acme.test offers off key',
  'Ann@acme.test sms off key',
  'bob@acme.test news on key',
];

describe('a file', () => {
  it('creates categories and choices, and changes nothing the second time', async () => {
    const plan = await apply(ACME);
    expect(plan.split('\n')).toEqual(
      expect.arrayContaining([
        'create category acme/shop/news',
        'create category acme/shop/security',
        'create 6 preferences in acme',
      ]),
    );
    expect((await choices()).sort()).toEqual([...ALL_CHOICES].sort());
    expect(await apply(ACME, true)).toBe('');
  });

  it('shows what it changes: fields and channels of a category, the category of an event', async () => {
    await apply(ACME);
    const changed = ACME.replace('default: on, channels: { sms: off }', 'channels: { email: off }')
      .replace(', description: What is new', '')
      .replace('name: Article, category: news', 'name: Article, category: offers')
      .replace('name: Login, category: security', 'name: Login, category: null')
      .replace('{ email: off, all: on }', '{ email: on, all: null }');
    expect(await apply(changed)).toBe(
      [
        'update category acme/shop/news',
        '    description: What is new -> ',
        '    channels.sms: off -> (none)',
        '    channels.email: (none) -> off',
        'update event acme/shop/web/article',
        '    category: news -> offers',
        'update event acme/shop/web/login',
        '    category: security -> (none)',
        'update 1 preference in acme',
        'delete 1 preference in acme',
      ].join('\n'),
    );
  });

  it('takes away no choice that it does not mention, also with --prune', async () => {
    await apply(ACME);
    const silent = ACME.replace(/ {8}preferences:\n( {10}.*\n)+/, '').replace(/, preferences: \{.*\} \}/, ' }');
    expect(silent).not.toContain('preferences');
    expect(await apply(silent, true)).toBe('');
    expect(await choices()).toHaveLength(6);
  });

  it('prunes a category with what people chose about it, unless an event uses it', async () => {
    await apply(ACME);
    const users = ACME.replace(/ {4}users:\n( {6}.*\n)+/, '');
    const without = (slug: string) => users.replace(new RegExp(` {10}- \\{ slug: ${slug}.*\\n`), '');
    expect(await apply(without('offers'), true)).toBe('delete category acme/shop/offers');
    expect(await choices()).not.toContain('Ann@acme.test offers off key');
    expect(await problemsOf(without('security').replace(', category: security', ''), true)).toEqual([
      'category acme/shop/security cannot be deleted: the event web/login uses it.',
    ]);
  });

  it.each([
    [
      'category: news }',
      'category: nws }',
      'event acme/shop/web/article: category: there is no category nws in the project',
    ],
    [
      'channels: { sms: off } }',
      'channels: { smss: off } }',
      'category acme/shop/news: channels.smss: is not a channel type: did you mean sms? Known: ' + TYPES,
    ],
    [
      'default: required',
      'default: required, channels: { sms: on }',
      'category acme/shop/security: channels: must be empty: a required category is sent over every channel',
    ],
    [
      'default: required',
      'defualt: required',
      'organizations[0].projects[0].categories[2].defualt: is not a known field: did you mean default? Known: slug, name, default, channels, frequencies, digest_at, description',
    ],
    [
      'offers: false',
      'security: false',
      'user acme/Ann@acme.test: preferences.categories.security: cannot be chosen: the category is required',
    ],
    [
      'web/article: off',
      'paid: off',
      'user acme/Ann@acme.test: preferences.events.paid: cannot be chosen: the event has no category, so it is always sent',
    ],
    [
      '{ sms: off }\n',
      '{ smss: off }\n',
      'user acme/Ann@acme.test: preferences.channels.smss: is not a channel type: did you mean sms? Known: ' + TYPES,
    ],
    [
      'shop/news: true',
      'blog/news: true',
      'user acme/bob@acme.test: preferences.categories.blog/news: is not the name of a category',
    ],
    [
      '- { slug: offers, name: Offers, default: off }',
      '- { slug: news, name: Twice }',
      'category acme/shop/news: is listed twice',
    ],
  ])('with %s replaced by %s is refused', async (good, bad, problem) => {
    expect(await problemsOf(ACME.replace(good, bad))).toEqual([problem]);
    expect((await app.pool.query('select from organizations')).rowCount).toBe(0);
  });
});

describe('an export', () => {
  it('applies without a change, and gives the same file elsewhere', async () => {
    await apply(ACME);
    await app.pool.query(`update preferences set chosen_by = 'link'`);
    const file = await exported();
    expect(await apply(file, true)).toBe('');
    // Who chose is kept.
    expect((await choices()).every((each) => each.endsWith(' link'))).toBe(true);
    await app.empty();
    await apply(file);
    expect((await choices()).sort()).toEqual([...ALL_CHOICES].sort());
    expect(await exported()).toBe(file);
  });

  it('has how often messages come, and leaves it out where it no longer counts', async () => {
    const daily = ACME.replace('channels: { sms: off } }', 'frequencies: [daily], digest_at: "07:30" }');
    await apply(daily.replace('{ email: off, all: on }', '{ frequency: daily }'));
    const file = await exported();
    expect(file).toMatch(/frequencies:\s+- daily\s+digest_at: 07:30/);
    expect(file).toContain('"frequency":"daily"');
    expect(await apply(file, true)).toBe('');
    await apply(ACME.replace('{ email: off, all: on }', '{ email: off }'));
    expect(await exported()).not.toContain('frequency');
  });

  it('leaves out choices that do not count at the moment, and takes back a category that was added since', async () => {
    await apply(ACME);
    await apply(
      ACME.replace('default: off }', 'default: required }')
        .replace('name: Article, category: news', 'name: Article, category: null')
        .replace('events: { web/article: off }', 'events: {}'),
    );
    const file = await exported();
    expect(file).not.toContain('shop/offers');
    expect(file).not.toContain('shop/web/article');
    await apply(
      ACME.replace('name: Paid', 'name: Paid, category: news')
        .replace('default: off }', 'default: required }')
        .replace(', offers: false', ''),
    );
    expect(await apply(file)).toContain('update event acme/shop/web/paid\n    category: news -> (none)');
    expect(await choices()).toHaveLength(6);
    await app.empty();
    await apply(file);
    expect(await choices()).toHaveLength(4);
  });

  it('of people as NDJSON has no preferences, and their import refuses them', async () => {
    await apply(ACME);
    let text = '';
    for await (const part of app.app.get(ExportService).users('acme', 'ndjson')) text += part;
    expect(text).not.toContain('preferences');
    const line = JSON.stringify({ email: 'ann@acme.test', preferences: { channels: { sms: 'on' } } });
    const { refusals } = await app.app
      .get(ImportService)
      .users('acme', Readable.from([Buffer.from(line)]), { format: 'ndjson' });
    expect(refusals).toEqual([
      { line: 1, problem: 'preferences: is not a known field here: use carillon apply for them' },
    ]);
  });
});
