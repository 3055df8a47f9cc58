import { beforeAll, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const SHOP = '/api/o/acme/p/shop';
const TEMPLATES = [{ channel: 'hook', text: 'Hi' }];
const LONG = 'x'.repeat(256);

let app: TestApp;
let key: string;
useApp({}, (started) => (app = started));
beforeAll(async () => {
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({});
});

const named = { slug: 'x', name: 'X' };

// The list of the file, the path over HTTP, an entry without mistakes, and its mistakes.
const NOUNS: [string, string, object, [field: string, value: unknown][]][] = [
  [
    'organizations',
    '/api/o/',
    named,
    [
      ['slug', 'Bad Slug'],
      ['name', ' '],
    ],
  ],
  [
    'projects',
    '/api/o/acme/p/',
    named,
    [
      ['slug', 'Bad'],
      ['enabled', 'yes'],
      ['name', LONG],
    ],
  ],
  [
    'applications',
    `${SHOP}/a/`,
    named,
    [
      ['slug', 'Bad'],
      ['enabled', 1],
    ],
  ],
  [
    'categories',
    `${SHOP}/categories/`,
    named,
    [
      ['default', 'onn'],
      ['description', 'x'.repeat(1001)],
      ['channels', { fax: 'on' }],
    ],
  ],
  [
    'channels',
    `${SHOP}/c/`,
    { ...named, type: 'log' },
    [
      ['type', 'pigeon'],
      ['type', LONG],
      ['fallback', 'none'],
      ['name', ''],
    ],
  ],
  [
    'distribution_lists',
    `${SHOP}/d/`,
    { name: 'X' },
    [
      ['name', ' '],
      ['name', LONG],
    ],
  ],
  [
    'events',
    `${SHOP}/a/web/e/`,
    named,
    [
      ['slug', 'Bad'],
      ['name', LONG],
      ['max_recipients', 0],
      ['max_recipients', 1.5],
      ['retention_days', 4000],
      ['category', 'none'],
      ['enabled', null],
    ],
  ],
  [
    'notifications',
    `${SHOP}/a/web/e/order-paid/n/`,
    { name: 'X', distribution_lists: ['Staff'], templates: TEMPLATES },
    [
      ['name', ' '],
      ['enabled', 'no'],
      ['when', '=='],
      ['distribution_lists', ['None']],
    ],
  ],
];
const CASES = NOUNS.flatMap(([list, path, entry, mistakes]) =>
  mistakes.map(([field, value]) => ({ list, path, field, body: { ...entry, [field]: value } })),
);

/** The file with one entry more in this list. */
function fileWith(list: string, entry: object): string {
  const inEvent = list === 'notifications' ? { notifications: [entry] } : {};
  const events = list === 'events' ? [entry] : [{ slug: 'order-paid', name: 'Order paid', ...inEvent }];
  const applications = list === 'applications' ? [entry] : [{ slug: 'web', name: 'Web shop', events }];
  const inProject = ['channels', 'categories', 'distribution_lists'].includes(list) ? { [list]: [entry] } : {};
  const projects = list === 'projects' ? [entry] : [{ slug: 'shop', name: 'Shop', ...inProject, applications }];
  return stringify({ organizations: list === 'organizations' ? [entry] : [{ slug: 'acme', name: 'Acme', projects }] });
}

it.each(CASES)('a file refuses a wrong $field of $list with the words of HTTP', async ({ list, path, field, body }) => {
  const answer = await app.as(key).post(path).send(body);
  const errors = (answer.body as { errors: Record<string, string[]> }).errors;
  const [name, [sentence]] = Object.entries(errors)[0]!;
  expect([answer.status, name.split('.')[0]]).toEqual([400, field]);
  const refused = await app.apply(fileWith(list, body)).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(refused).toContain(sentence);
});
