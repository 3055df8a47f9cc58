import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant, fileOf, inbox } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let tenant: Tenant;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const TIPS = { name: 'Tips', open: true, description: 'A tip each week' };

const given = (tips: object = TIPS): Given => ({
  channels: [inbox('box')],
  users: [{ email: ANN }, { email: BOB }],
  lists: [{ ...TIPS, ...tips }, { name: 'Staff' }],
  notifications: [
    { name: 'Tip', distribution_list: 'Tips', templates: [{ channel: 'box', subject: 'Tip', text: 'Rest' }] },
  ],
});

beforeEach(async () => {
  tenant = await Tenant.create(app, given());
});

const preferences = (user = ANN) => `/api/o/${tenant.org}/u/${user}/preferences/`;
const patch = (lists: object, user = ANN, key = tenant.key) => app.as(key).patch(preferences(user)).send({ lists });
/** Who got a message. A member who left is skipped, and explain says so. */
const reached = async () =>
  (await tenant.triggerAndSettle()).flatMap(({ user, status }) => (status === 'sent' ? [user] : []));

async function tokenOf(user: string, scopes = ['preferences']): Promise<string> {
  const { body } = await app.as(tenant.key).post(`/api/o/${tenant.org}/u/${user}/token/`).send({ scopes });
  return (body as { token: string }).token;
}

/** The id of a list, which the paths of the API have. */
async function idOf(name: string): Promise<number> {
  const sql = `select l.id from distribution_lists l join organizations o on o.id = l.organization_id where o.slug = $1 and l.name = $2`;
  return (await app.pool.query<{ id: number }>(sql, [tenant.org, name])).rows[0]!.id;
}

describe('an open list', () => {
  it('is joined and left by a user with a recipient token, and only messages in between come', async () => {
    const token = await tokenOf(ANN);
    const choose = (value: string) =>
      app
        .as()
        .patch(preferences())
        .set('Authorization', `Bearer ${token}`)
        .send({ lists: { Tips: value } });
    expect(await reached()).toEqual([]);
    const joined = await choose('on');
    expect([joined.status, (joined.body as { lists: object[] }).lists]).toEqual([
      200,
      [{ project: 'shop', list: 'shop/Tips', name: 'Tips', description: 'A tip each week', on: true }],
    ]);
    expect(await reached()).toEqual([ANN]);
    expect((await choose('off')).body).toMatchObject({ lists: [{ on: false }] });
    expect(await reached()).toEqual([]);
    expect((await choose('on')).status).toBe(200);
    expect(await reached()).toEqual([ANN]);
  });

  it('is joined and left on the preference page, in the language of the user', async () => {
    const page = `/u/${await tokenOf(BOB)}/preferences`;
    const id = String(await idOf('Tips'));
    const shown = await app.as().get(page).set('Accept', 'text/html');
    expect(shown.text).toContain('A tip each week');
    expect(shown.text).not.toContain('Staff');
    const send = (form: object) => app.as().post(page).set('Accept-Language', 'de').type('form').send(form);
    expect((await send({ list: id, join: id })).text).toContain('Tips: an');
    expect(await reached()).toEqual([BOB]);
    // A form that did not show the list leaves it as it is.
    expect((await send({})).text).toContain('nichts geändert');
    expect(await reached()).toEqual([BOB]);
    expect((await send({ list: id })).text).toContain('Tips: aus');
    expect(await reached()).toEqual([]);
  });

  it('keeps those who left, when a key adds them again or a file lists them', async () => {
    await patch({ 'shop/tips': true });
    await patch({ 'shop/tips': false });
    const path = `/api/o/${tenant.org}/p/shop/d/${await idOf('Tips')}/add/`;
    expect((await app.as(tenant.key).post(path).send([ANN])).body).toMatchObject({ added: 0, existing: 1 });
    await tenant.apply(given({ members: [ANN] }));
    expect(await reached()).toEqual([]);
  });

  it('keeps those who joined, when a file without them is applied with --prune', async () => {
    await patch({ Tips: 'on' });
    const apply = (tips: object) =>
      app.app.get(ProvisioningService).apply(fileOf(tenant.org, given(tips)), { prune: true });
    await apply({ members: [BOB] });
    expect(new Set(await reached())).toEqual(new Set([ANN, BOB]));
    await apply({ members: [BOB], open: false });
    expect(await reached()).toEqual([BOB]);
  });

  it('is written by an export as the file has it', async () => {
    const answer = await app
      .as(tenant.key)
      .get(`/api/o/${tenant.org}/configuration/`)
      .set('Accept', 'application/json');
    const [project] = (answer.body as { projects: { distribution_lists: object[] }[] }).projects;
    expect(project!.distribution_lists).toEqual([TIPS, { name: 'Staff' }]);
  });
});

describe('lists that a user cannot join', () => {
  const notOpen = { 'lists.Staff': ['is not the name of an open list'] };

  it('are those that are not open, and nothing of such a request is stored', async () => {
    const { status, body } = await patch({ Tips: 'on', Staff: 'on' });
    expect([status, (body as { errors: object }).errors]).toEqual([400, notOpen]);
    expect(await reached()).toEqual([]);
  });

  it('are those of a list that was closed: its members stay', async () => {
    await patch({ Tips: 'on' });
    const list = `/api/o/${tenant.org}/p/shop/d/${await idOf('Tips')}/`;
    const closed = await app.as(tenant.key).patch(list).send({ open: false });
    expect([closed.status, Object.keys(closed.body as object)]).toEqual([200, ['name', 'id', 'members']]);
    expect((await app.as(tenant.key).get(`${list}settings/`)).body).toEqual({ ...TIPS, open: false });
    expect((await patch({ Tips: 'off' })).status).toBe(400);
    expect((await app.as(tenant.key).get(preferences())).body).toMatchObject({ lists: [] });
    expect(await reached()).toEqual([ANN]);
  });

  it.each<[string, object, object]>([
    ['a value', { Tips: 'maybe' }, { 'lists.Tips': ['must be on or off'] }],
    ['null', { Tips: null }, { 'lists.Tips': ['must be on or off'] }],
    [
      'two names of one list',
      { Tips: 'on', 'shop/Tips': 'off' },
      { 'lists.shop/Tips': ['means the same as Tips: use one of the two names'] },
    ],
    ['a name of every object', { toString: 'on' }, { 'lists.toString': ['is not the name of an open list'] }],
  ])('are refused with the name of the field: %s', async (_, lists, errors) => {
    const { status, body } = await patch(lists);
    expect([status, (body as { errors: object }).errors]).toEqual([400, errors]);
  });

  it('are those of another organization', async () => {
    const other = await Tenant.create(app, { ...given(), lists: [TIPS, { name: 'Theirs', open: true }] });
    expect((await patch({ Theirs: 'on' })).status).toBe(400);
    expect(
      (
        await app
          .as(other.key)
          .patch(preferences())
          .send({ lists: { Tips: 'on' } })
      ).status,
    ).toBe(404);
  });

  it('and a token without the scope `preferences` joins none', async () => {
    const token = await tokenOf(ANN, ['inbox']);
    const sent = app.as().patch(preferences()).set('Authorization', `Bearer ${token}`);
    expect((await sent.send({ lists: { Tips: 'on' } })).status).toBe(403);
  });
});

it('is bounded: an organization has 200 open lists', async () => {
  await app.pool.query(
    `insert into distribution_lists (organization_id, project_id, name, name_key, open)
     select p.organization_id, p.id, 'L' || n, 'l' || n, true from projects p join organizations o on o.id = p.organization_id
     cross join generate_series(1, 199) n where o.slug = $1`,
    [tenant.org],
  );
  const path = `/api/o/${tenant.org}/p/shop/d/`;
  const { status, body } = await app.as(tenant.key).post(path).send({ name: 'One more', open: true });
  expect([status, (body as { errors: object }).errors]).toEqual([
    400,
    { open: ['cannot be true: the organization already has 200 open lists'] },
  ]);
  expect((await app.as(tenant.key).post(path).send({ name: 'One more' })).status).toBe(201);
});
