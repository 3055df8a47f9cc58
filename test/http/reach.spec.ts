import { beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';

const project = (slug: string, audience: string, members: string) => `
      - slug: ${slug}
        name: Project ${slug}
        categories: [{ slug: news, name: News of ${slug} }]
        distribution_lists: [{ name: Staff, members: [${members}] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: told
                name: Told
                category: news
                notifications:
                  - { name: Tell, ${audience}, templates: [{ channel: inbox, text: Hi }] }`;

const ACME = `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: inbox, name: Inbox, type: inbox }]
    users:
      - { email: ann@acme.test, custom_fields: { team: ops } }
      - { email: bob@acme.test }
      - { email: eve@acme.test }
    projects:${project('ops', 'audience: { field: custom_fields.team, is: ops }', '')}${project(
      'shop',
      'distribution_list: Staff',
      'bob@acme.test',
    )}${project('lab', 'audience: { field: custom_fields.team, is: lab }', '')}
`;

let app: TestApp;
let key: string;
useApp({}, (started) => (app = started));
beforeAll(async () => {
  await app.apply(ACME);
  key = await app.key({ org: 'acme' });
});

const pathOf = (user: string, end: string) => `/api/o/acme/u/${user}@acme.test/${end}`;

async function tokenOf(user: string): Promise<string> {
  const { body } = await app.as(key).post(pathOf(user, 'token/')).send({});
  return (body as { token: string }).token;
}

/** The projects whose categories the answer has. */
async function shown(user: string, bearer: string): Promise<string[]> {
  const { body } = await app.as().get(pathOf(user, 'preferences/')).set('Authorization', bearer);
  return (body as { categories: { project: string }[] }).categories.map((category) => category.project);
}

async function onPage(token: string): Promise<string[]> {
  const { text } = await app.as().get(`/u/${token}/preferences`).set('Accept', 'text/html');
  return [...text.matchAll(/<legend>News of (\w+)<\/legend>/g)].map(([, slug]) => slug!);
}

it.each([
  ['ann', ['ops'], 'by the audience of a rule'],
  ['bob', ['shop'], 'by a distribution list'],
  ['eve', [], 'by nothing'],
])('%s sees %j, reached %s, over the API and on the page', async (user, projects, _how) => {
  const token = await tokenOf(user);
  expect(await shown(user, `Bearer ${token}`)).toEqual(projects);
  expect(await onPage(token)).toEqual(projects);
});

it('a key sees all categories of the organization', async () => {
  expect(await shown('ann', `Key ${key}`)).toEqual(['lab', 'ops', 'shop']);
});

it('a person who left the audience still sees what they have chosen about', async () => {
  const body = { categories: { 'lab/news': { inbox: 'off' } } };
  await app.as(key).patch(pathOf('eve', 'preferences/')).send(body).expect(200);
  const token = await tokenOf('eve');
  expect(await shown('eve', `Bearer ${token}`)).toEqual(['lab']);
  expect(await onPage(token)).toEqual(['lab']);
});

it('a person whose fields change joins the audience', async () => {
  await app
    .as(key)
    .patch(pathOf('ann', ''))
    .send({ custom_fields: { team: 'lab' }, _mode: 'MERGE' })
    .expect(200);
  const token = await tokenOf('ann');
  expect(await shown('ann', `Bearer ${token}`)).toEqual(['lab']);
  expect(await onPage(token)).toEqual(['lab']);
});
