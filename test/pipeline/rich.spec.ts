import { describe, expect, it } from '@jest/globals';
import type { TemplateEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant, inbox, mail } from '../support/world/tenant.js';

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';

type Parts = Omit<TemplateEntry, 'channel'>;

const FULL: Parts = {
  subject: 'Order {{ order }}',
  text: 'Hi',
  url: '/orders/{{ order }}',
  image: 'https://acme.test/{{ order }}.png',
  actions: [
    { label: 'Pay {{ total }} EUR', url: 'https://pay.test/{{ order }}' },
    { label: '{% if parcel %}Track{% endif %}', url: '/parcel' },
  ],
  data: { order: '{{ order }}', total: 3, ok: true, none: null, items: [{ note: '{{ note }}' }] },
};

const rule = (parts: Parts, channel = 'inbox') => ({
  name: 'Tell',
  distribution_list: 'Staff',
  templates: [{ channel, text: 'Hi', ...parts }],
});

const tenantWith = (parts: Parts) =>
  Tenant.create(app, {
    channels: [inbox('inbox'), mail('mail', 9)],
    users: [{ email: ANN, first_name: 'Ann' }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [rule(parts)],
  });

const eventPath = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;

async function inboxOf(tenant: Tenant): Promise<Record<string, unknown>[]> {
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${ANN}/inbox/`);
  return body as Record<string, unknown>[];
}

async function messageOf(tenant: Tenant, occurrence: string): Promise<object> {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/deliveries/`;
  const { body: list } = await app.as(tenant.key).get(path);
  const { body } = await app.as(tenant.key).get(`${path}${(list as { id: string }[])[0]!.id}/`);
  return (body as { message: object }).message;
}

const CONTEXT = { order: 'A-17', total: 3, note: '", "admin": "yes' };
const RENDERED = {
  url: '/orders/A-17',
  image: 'https://acme.test/A-17.png',
  actions: [{ label: 'Pay 3 EUR', url: 'https://pay.test/A-17' }],
  data: { order: 'A-17', total: 3, ok: true, none: null, items: [{ note: '", "admin": "yes' }] },
};

it('a message leads somewhere, has a picture, buttons and data, and names its event', async () => {
  const tenant = await tenantWith(FULL);
  const occurrence = await tenant.trigger(CONTEXT);
  await tenant.settled(occurrence);
  expect(await inboxOf(tenant)).toMatchObject([{ ...RENDERED, event: 'order-paid', occurrence, category: null }]);
  expect(await messageOf(tenant, occurrence)).toMatchObject({ ...RENDERED, left_out: [] });
});

it('a value cannot make a link lead anywhere, and the delivery says what was left out', async () => {
  const tenant = await tenantWith({
    url: '{{ link }}',
    image: '{{ picture }}',
    actions: [
      { label: '{{ long }}', url: '/{{ path }}' },
      { label: '{{ long }}', url: '/ok' },
    ],
    data: { big: '{{ big }}' },
  });
  const occurrence = await tenant.trigger({
    ...{ link: 'javascript:alert(1)', picture: 'http://acme.test/x.png', path: '/evil.test' },
    ...{ long: 'x'.repeat(100), big: 'x'.repeat(5000) },
  });
  const sent = await tenant.settled(occurrence);
  expect(sent).toMatchObject([{ status: 'sent' }]);
  const label = `${'x'.repeat(79)}…`;
  const left = { url: null, image: null, data: null, actions: [{ label, url: '/ok' }] };
  expect(await inboxOf(tenant)).toMatchObject([left]);
  const link = 'must be an http or https URL, or a path that starts with a single slash: it was left out.';
  expect(await messageOf(tenant, occurrence)).toMatchObject({
    ...left,
    left_out: [
      `url ${link}`,
      'image must be an https URL: it was left out.',
      `actions[0].url ${link}`,
      'actions[1].label is longer than 80 characters: it was cut.',
      'data is larger than 4096 bytes: it was left out.',
    ],
  });
});

it('a message that was triggered before its template was changed keeps its link', async () => {
  const tenant = await tenantWith({ url: '/old', data: { nested: { none: null } } });
  const before = await tenant.trigger({}, { send_at: new Date(Date.now() + 86_400_000).toISOString() });
  await tenant.apply({ notifications: [rule({ url: '/new' })] });
  await tenant.triggerAndSettle();
  await app.pool.query('update jobs set run_at = now()');
  await tenant.settled(before);
  const all = await inboxOf(tenant);
  expect(all).toMatchObject([
    { url: '/old', data: { nested: { none: null } } },
    { url: '/new', data: null },
  ]);
});

it('a template that a preview renders is as it will be sent, and refused as it will be', async () => {
  const tenant = await tenantWith({});
  const preview = (body: object) =>
    app
      .as(tenant.key)
      .post(`${eventPath(tenant)}preview/`)
      .send({ channel: 'inbox', context: CONTEXT, ...body });
  expect((await preview(FULL)).body).toMatchObject({ ...RENDERED, left_out: [], missing: ['parcel'].slice(1) });
  const refused = await preview({ ...FULL, url: 'javascript:alert(1)' });
  expect([refused.status, Object.keys((refused.body as { errors: object }).errors)]).toEqual([400, ['url']]);
  const failing = await preview({ ...FULL, data: { a: '{{ order | nothing }}' } });
  expect([failing.status, Object.keys((failing.body as { errors: object }).errors)]).toEqual([400, ['data.a']]);
});

describe('over HTTP', () => {
  const path = (tenant: Tenant) => `${eventPath(tenant)}n/`;
  const bodyOf = (template: object) => ({
    name: 'Also tell',
    distribution_lists: ['Staff'],
    templates: [{ channel: 'inbox', text: 'Hi', ...template }],
  });
  const NONE = { url: null, image: null, actions: null, data: null };
  const { subject: _, text: __, ...parts } = FULL;

  it('a template has them in its answer, its revisions and the file, and loses them when they are taken away', async () => {
    const tenant = await tenantWith({});
    const created = await app.as(tenant.key).post(path(tenant)).send(bodyOf(parts));
    expect([created.status, created.body]).toMatchObject([201, { templates: [parts] }]);
    const { body: schema } = await app.as(tenant.key).get(`${eventPath(tenant)}schema/`);
    expect(schema).toMatchObject({
      properties: {
        note: { 'x-used-by': [{ channel: 'inbox', part: 'data' }] },
        total: { 'x-used-by': [{ channel: 'inbox', part: 'actions' }] },
      },
    });
    const { id } = created.body as { id: number };
    const changed = await app
      .as(tenant.key)
      .patch(`${path(tenant)}${id}/`)
      .send({ templates: bodyOf({ url: ' ', image: '', actions: [], data: {} }).templates });
    expect([changed.status, changed.body]).toMatchObject([200, { templates: [NONE] }]);
    const { body } = await app.as(tenant.key).get(`${eventPath(tenant)}revisions/`);
    const revisions = body as { changes: { rule: { templates: object[] } }[] }[];
    expect(revisions.slice(0, 2).map(({ changes }) => changes[0]!.rule.templates)).toMatchObject([[NONE], [parts]]);
  });

  it.each([
    ['a script', { url: 'javascript:alert(1)' }, 'url'],
    ['a picture without https', { image: 'http://acme.test/x.png' }, 'image'],
    ['no text', { url: 7 }, 'url'],
    ['three buttons', { actions: Array(3).fill({ label: 'A', url: '/' }) }, 'actions'],
    ['buttons that are no list', { actions: { label: 'A', url: '/' } }, 'actions'],
    ['a button that is none', { actions: [null] }, 'actions[0]'],
    ['a button without a label', { actions: [{ label: ' ', url: '/' }] }, 'actions[0].label'],
    ['a button with a script', { actions: [{ label: 'A', url: 'data:x,y' }] }, 'actions[0].url'],
    ['an unknown field of a button', { actions: [{ label: 'A', url: '/', color: 'red' }] }, 'actions[0].color'],
    ['a template that is none', { actions: [{ label: '{{', url: '/' }] }, 'actions[0].label'],
    ['data that is no object', { data: [1] }, 'data'],
    ['data that is too large', { data: { a: 'x'.repeat(4096) } }, 'data'],
    ['data that is too deep', { data: { a: { a: { a: { a: { a: { a: 1 } } } } } } }, 'data'],
    ['data with too many values', { data: { a: Array(101).fill(1) } }, 'data'],
    ['data with keys that name two fields', { data: { 'a.b': 1 } }, 'data'],
    ['data with a template that is none', { data: { a: ['{{'] } }, 'data.a[0]'],
  ])('refuses %s', async (_name, template, field) => {
    const tenant = await tenantWith({});
    const { status, body } = await app.as(tenant.key).post(path(tenant)).send(bodyOf(template));
    expect([status, Object.keys((body as { errors?: object }).errors ?? {})]).toEqual([
      400,
      [`templates.inbox.${field}`],
    ]);
  });

  it('refuses them for a channel that does not show them', async () => {
    const tenant = await tenantWith({});
    const templates = [{ channel: 'mail', text: 'Hi', ...parts }];
    const { status, body } = await app
      .as(tenant.key)
      .post(path(tenant))
      .send({ ...bodyOf({}), templates });
    expect([status, Object.keys((body as { errors: object }).errors).sort()]).toEqual([
      400,
      ['templates.mail.actions', 'templates.mail.data', 'templates.mail.image', 'templates.mail.url'],
    ]);
  });
});
