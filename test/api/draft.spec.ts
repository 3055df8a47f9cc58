import { expect, it } from '@jest/globals';
import { MAX_DRAFTS } from '../../src/api/draft/draft.service.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { readConfig } from '../../src/platform/config/config.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const BEGUN = { name: 'Thank', when: 'total > `', audience: '{ "all": [', templates: [{ channel: 'box', text: '{{' }] };

const tenantOf = () =>
  Tenant.create(app, {
    channels: [inbox('box')],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'box', text: 'Hi' }] }],
  });

const event = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;
const drafts = (tenant: Tenant) => `${event(tenant)}drafts/`;

async function idOf(tenant: Tenant): Promise<number> {
  const { body } = await app
    .as(tenant.key)
    .get(`${event(tenant)}n/`)
    .expect(200);
  return (body as [{ id: number }])[0].id;
}

it('a draft is saved unfinished, shown to others with its author, and discarded', async () => {
  const tenant = await tenantOf();
  const [ann, ben] = await Promise.all(['ann', 'ben'].map((name) => app.key({ org: tenant.org, name })));
  const { body: created } = await app
    .as(ann)
    .post(drafts(tenant))
    .send({ draft: 'new', notification: BEGUN })
    .expect(201);
  const saved = { draft: 'new', name: 'Thank', saved_by: 'ann', saved_at: expect.any(String) };
  expect(created).toEqual({ ...saved, notification: BEGUN, base: null, base_etag: null });
  expect(
    (
      await app
        .as(ben)
        .get(`${drafts(tenant)}new/`)
        .expect(200)
    ).body,
  ).toEqual(created);
  expect((await app.as(ben).get(drafts(tenant)).expect(200)).body).toEqual([saved]);
  await app
    .as(ben)
    .delete(`${drafts(tenant)}new/`)
    .expect(204);
  await app
    .as(ben)
    .get(`${drafts(tenant)}new/`)
    .expect(404);
  await app
    .as(ben)
    .delete(`${drafts(tenant)}new/`)
    .expect(404);
});

it('of two users who save one draft, the second is told and nothing is lost', async () => {
  const tenant = await tenantOf();
  const path = `${drafts(tenant)}${await idOf(tenant)}/`;
  const save = (etag: string | undefined, name: string) => {
    const request = app.as(tenant.key).put(path);
    return (etag === undefined ? request : request.set('If-Match', etag)).send({ notification: { ...BEGUN, name } });
  };
  const etagOf = async () => (await app.as(tenant.key).get(path).expect(200)).headers.etag;
  // Nobody has saved it, so nobody can have seen a version.
  expect((await save('*', 'Nothing')).status).toBe(412);
  const first = await save(undefined, 'First');
  expect(first.status).toBe(200);
  expect(first.headers.etag).toBe(await etagOf());
  expect((await save(first.headers.etag, 'Second')).status).toBe(200);
  expect((await save(first.headers.etag, 'Late')).status).toBe(412);
  expect((await app.as(tenant.key).delete(path).set('If-Match', first.headers.etag!)).status).toBe(412);
  expect((await app.as(tenant.key).get(path)).body).toMatchObject({ name: 'Second' });
  // Two who begin at the same time: one of them creates it.
  const { body, status } = await app
    .as(tenant.key)
    .post(drafts(tenant))
    .send({ draft: String(await idOf(tenant)), notification: BEGUN });
  expect([status, body]).toMatchObject([400, { codes: { draft: ['already_exists'] } }]);
});

it('a draft changes nothing that is sent, and is no part of exports', async () => {
  const tenant = await tenantOf();
  const id = await idOf(tenant);
  const before = (await app.as(tenant.key).get(`${event(tenant)}n/${id}/`)).body as object;
  const etag = '"abc"';
  const body = { notification: { ...BEGUN, enabled: false }, base: { name: 'Tell' }, base_etag: etag };
  expect(
    (
      await app
        .as(tenant.key)
        .put(`${drafts(tenant)}${id}/`)
        .send(body)
        .expect(200)
    ).body,
  ).toMatchObject(body);
  expect((await app.as(tenant.key).get(`${event(tenant)}n/${id}/`)).body).toEqual(before);
  expect((await app.as(tenant.key).get(`${event(tenant)}revisions/`)).body).toHaveLength(1);
  const occurrence = await tenant.trigger();
  expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, status: 'sent' }]);
  const exported = await app.as(tenant.key).get(`/api/o/${tenant.org}/configuration/`);
  expect(JSON.stringify(exported.body) + exported.text).not.toContain('Thank');
});

it.each([
  ['another field', { notification: { nam: 'Tell' } }, 'notification.nam'],
  ['a name that is no text', { notification: { name: 7 } }, 'notification.name'],
  ['templates that are no list', { notification: { templates: {} } }, 'notification.templates'],
  ['a template that is no object', { notification: { templates: ['Hi'] } }, 'notification.templates'],
  ['a base of another shape', { notification: {}, base: { nam: 'Tell' } }, 'base.nam'],
  ['no notification', {}, 'notification'],
  ['an ETag that is none', { notification: {}, base_etag: 'a'.repeat(101) }, 'base_etag'],
])('a draft with %s is refused by the name of the field', async (_, body, field) => {
  const tenant = await tenantOf();
  const answer = await app
    .as(tenant.key)
    .put(`${drafts(tenant)}new/`)
    .send(body);
  expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([400, [field]]);
});

it('a draft is of a notification of its event, or of a new one', async () => {
  const [tenant, other] = await Promise.all([tenantOf(), tenantOf()]);
  const foreign = await idOf(other);
  const put = (name: string | number) =>
    app
      .as(tenant.key)
      .put(`${drafts(tenant)}${name}/`)
      .send({ notification: BEGUN });
  const names = [foreign, 999_999, 0, 'old', 'new-', 'new-A', `new-${'a'.repeat(21)}`];
  for (const name of names) expect([name, (await put(name)).status]).toEqual([name, 404]);
  for (const name of ['new', 'new-2', await idOf(tenant)])
    expect([name, (await put(name)).status]).toEqual([name, 200]);
  const asOther = await app.as(other.key).get(`${drafts(tenant)}new/`);
  expect(asOther.status).toBe(404);
});

it('a draft needs the permissions of notifications', async () => {
  const tenant = await tenantOf();
  const reader = await app.key({ org: tenant.org, permissions: ['notification:read'] });
  await app
    .as(tenant.key)
    .put(`${drafts(tenant)}new/`)
    .send({ notification: BEGUN })
    .expect(200);
  await app
    .as(reader)
    .get(`${drafts(tenant)}new/`)
    .expect(200);
  await app
    .as(reader)
    .put(`${drafts(tenant)}new/`)
    .send({ notification: BEGUN })
    .expect(403);
  await app
    .as(reader)
    .delete(`${drafts(tenant)}new/`)
    .expect(403);
});

it('drafts go with their notification, with their event, and 90 days after they were saved', async () => {
  const tenant = await tenantOf();
  const id = await idOf(tenant);
  const names = async () =>
    ((await app.as(tenant.key).get(drafts(tenant)).expect(200)).body as { draft: string }[]).map(({ draft }) => draft);
  for (const name of [id, 'new', 'new-2'])
    await app
      .as(tenant.key)
      .put(`${drafts(tenant)}${name}/`)
      .send({ notification: BEGUN })
      .expect(200);
  await app
    .as(tenant.key)
    .delete(`${event(tenant)}n/${id}/`)
    .expect(204);
  expect(await names()).toEqual(['new', 'new-2']);
  const age = `update drafts set saved_at = now() - make_interval(days => $3) from organizations o
               where o.id = organization_id and o.slug = $1 and drafts.name = $2`;
  await app.pool.query(age, [tenant.org, 'new', 89]);
  await app.pool.query(age, [tenant.org, 'new-2', 91]);
  await new Purge(app.databaseUrl, readConfig({})).run();
  expect(await names()).toEqual(['new']);
  await app.as(tenant.key).delete(event(tenant)).expect(204);
  const left = `select from drafts d join organizations o on o.id = d.organization_id where o.slug = $1`;
  expect((await app.pool.query(left, [tenant.org])).rowCount).toBe(0);
});

it('an organization has 1,000 drafts at most, and can still change and discard them', async () => {
  const tenant = await tenantOf();
  await app.pool.query(
    `insert into drafts (organization_id, event_id, name, notification, saved_by)
     select o.id, e.id, 'new-' || n, '{}', 'ann' from organizations o join events e on e.organization_id = o.id, generate_series(1, $2::int) n
     where o.slug = $1`,
    [tenant.org, MAX_DRAFTS],
  );
  const put = (name: string) =>
    app
      .as(tenant.key)
      .put(`${drafts(tenant)}${name}/`)
      .send({ notification: BEGUN });
  expect((await put('new')).status).toBe(409);
  expect((await put('new-1')).status).toBe(200);
  await app
    .as(tenant.key)
    .delete(`${drafts(tenant)}new-1/`)
    .expect(204);
  expect((await put('new')).status).toBe(200);
});
