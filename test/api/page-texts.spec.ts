import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useAcme } from '../support/app/use.js';

const SETTINGS = '/api/o/acme/settings/';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const patch = async (page_texts: unknown) => {
  const { status, body } = await app.as(key).patch(SETTINGS).send({ page_texts });
  return { status, ...(body as { page_texts: unknown; errors: object }) };
};

const preferences = async (language: string) => {
  const sql = `select u.id "userId", u.organization_id "organizationId" from users u join organizations o on o.id = u.organization_id where o.slug = 'acme' limit 1`;
  const { rows } = await app.pool.query<{ userId: number; organizationId: number }>(sql);
  const token = app.app.get(UnsubscribeTokens).sign({ ...rows[0]!, categoryId: 0 });
  const page = await fetch(`${app.url}/u/${token}/preferences`, { headers: { 'Accept-Language': language } });
  return page.text();
};

it('replaces texts of the pages in one language, as plain text', async () => {
  const own = { de: { save: '<b>Sichern</b>', choices_title: 'Post von {organization}' } };
  expect(await patch(own)).toMatchObject({ status: 200, page_texts: own });
  const german = await preferences('de');
  expect(german).toContain('<button>&lt;b&gt;Sichern&lt;/b&gt;</button>');
  expect(german).toMatch(/<h1>Post von Acme[^<]*<\/h1>/);
  // Everything else is ours.
  expect(german).toContain('Zeitzone');
  expect(await preferences('en')).toContain('<button>Save</button>');
  expect(await patch(null)).toMatchObject({ status: 200, page_texts: null });
  expect(await preferences('de')).toContain('<button>Speichern</button>');
});

it('forgets empty languages', async () => {
  expect(await patch({ de: {}, fr: { save: ' Valider ' } })).toMatchObject({ page_texts: { fr: { save: 'Valider' } } });
  expect(await patch({ de: {} })).toMatchObject({ page_texts: null });
});

describe('texts are refused', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['in a language that the pages do not have', { dee: { save: 'x' } }, 'page_texts.dee', /did you mean de\?/],
    ['with a name that does not exist', { de: { saev: 'x' } }, 'page_texts.de.saev', /did you mean save\?/],
    ['that every object has', { de: { toString: 'x' } }, 'page_texts.de.toString', /not a known field/],
    ['if they are long', { de: { save: 'x'.repeat(501) } }, 'page_texts.de.save', /500/],
    ['if they are empty', { de: { save: ' ' } }, 'page_texts.de.save', /1 to 500/],
    ['if they are not text', { de: { save: 1 } }, 'page_texts.de.save', /1 to 500/],
    [
      'with a value that does not exist',
      { de: { choices_title: 'Hi {organisation}' } },
      'page_texts.de.choices_title',
      /\{organisation\}.*did you mean organization/,
    ],
    [
      'of a page that is the same for every organization',
      { de: { gone: 'x' } },
      'page_texts.de.gone',
      /not a known field/,
    ],
    [
      'of the inbox with a wrong value',
      { de: { inbox_unseen_count: '{m}' } },
      'page_texts.de.inbox_unseen_count',
      /\{m\}/,
    ],
    ['if they are a list', [], 'page_texts', /object/],
    ['if a language is a text', { de: 'x' }, 'page_texts.de', /object/],
  ])('%s', async (_, texts, field, sentence) => {
    const { status, errors } = await patch(texts);
    expect([status, errors]).toEqual([400, { [field]: [expect.stringMatching(sentence)] }]);
  });
});

it('is a part of configuration files, with the same checks', async () => {
  const env = { DATABASE_URL: app.databaseUrl };
  const file = (page_texts: object) => JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme', page_texts }] });
  const texts = { it: { save: 'Conferma' } };
  const plan = await cli(['apply', 'FILE', '--dry-run'], env, file(texts));
  expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining('page_texts')]);
  expect((await cli(['apply', 'FILE'], env, file(texts))).code).toBe(0);
  const exported = await cli(['export', 'config', '--org', 'acme'], env);
  expect(parse(exported.stdout)).toMatchObject({ organizations: [{ page_texts: texts }] });
  const refused = await cli(['validate', 'FILE'], env, file({ it: { saev: 'x' } }));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/page_texts\.it\.saev.*did you mean save/)]);
});
