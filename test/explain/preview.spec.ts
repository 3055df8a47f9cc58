import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/permission.js';
import { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { forbidden, invalid } from '../support/contract/problems.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

interface Previewed {
  subject: string;
  text: string;
  html: string;
  missing: string[] | null;
  optional: string[] | null;
}

const ANN = { email: 'Ann@acme.test', first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops' } };

const NO_MAIL = {
  from: null,
  reply_to: null,
  headers: null,
  ...{ url: null, image: null, actions: null, data: null, template: null, left_out: [] },
  head: null,
  html_bytes: 0,
  attachments: [],
  language: null,
};

let app: TestApp;
let sink: HttpSink;
let tenant: Tenant;
let path: string;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  sink = await HttpSink.start();
  tenant = await Tenant.create(app, {
    channels: [inbox('inbox'), webhook('hook', sink.url('/in'), { timeout_seconds: 7 })],
    users: [ANN],
  });
  path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/preview/`;
});
afterAll(async () => {
  await app.stop();
  await sink.close();
});

const ask = (draft: object, key = tenant.key) => app.as(key).post(path).send(draft);

async function preview(draft: object): Promise<Previewed> {
  const { status, body } = await ask(draft);
  expect([status, body]).toEqual([200, expect.objectContaining({ subject: expect.any(String) })]);
  return body as Previewed;
}

async function refused(draft: object): Promise<Record<string, string[]>> {
  const { status, body } = await ask(draft);
  const { errors } = body as { errors: Record<string, string[]> };
  expect([status, body]).toEqual([400, invalid(errors)]);
  return errors;
}

describe('a preview', () => {
  it.each([
    [
      'text and HTML',
      { subject: '{{ order.id }}\n!', text: 'Hi {{ user.first_name }}', html: '<b>{{ order.name }}</b>' },
    ],
    [
      'Markdown, and the text taken from it',
      { markdown: '# {{ order.name }}\n\n[Open]({{ order.link }}) **{{ user.email }}**' },
    ],
    ['loops', { text: '{% for pair in order %}{{ pair[0] }}={{ pair[1] }};{% endfor %}' }],
    [
      'every name that there is',
      {
        text: `{{ user | json }} {{ event | json }} {{ application | json }} {{ project | json }} {{ organization | json }}
          {{ channel | json }} {{ occurrence.id | size }} {{ occurrence.created_at | date: "%Y" }} {{ order | json }}`,
      },
    ],
  ])('says what is then sent: %s', async (_, parts) => {
    const context = { order: { name: '<b> & *x*', link: 'https://acme.test/?a=b&c', id: 7, z: 1, aa: 2 } };
    const notification = {
      name: 'Tell',
      audience: { field: 'first_name', is: 'Ann' },
      templates: [{ channel: 'inbox', ...parts }],
    };
    await tenant.apply({ notifications: [notification] });
    const { missing, ...message } = await preview({ ...parts, channel: 'inbox', user: 'ann@acme.test', context });
    expect(missing).toEqual([]);
    const [delivery] = await tenant.triggerAndSettle(context);
    const { rows } = await app.pool.query('select subject, text, html from messages where delivery_id = $1', [
      delivery!.id,
    ]);
    expect(rows).toEqual([{ subject: message.subject, text: message.text, html: message.html }]);
    expect(message.text).not.toBe('');
  });

  it('takes a sample for whom and over what, when neither is said', async () => {
    const text = '{{ user.first_name }} {{ user.last_name }} {{ user.username }} {{ channel.slug }} {{ channel.type }}';
    expect(await preview({ text })).toEqual({
      subject: '',
      text: 'Sam Sample sam@example.com sample inbox',
      html: '',
      ...NO_MAIL,
      ...{ missing: [], optional: [], checks: [] },
    });
    expect(await preview({})).toMatchObject({ subject: '', text: '', html: '' });
  });

  it('of a post to a room has no user, unless the template says per: person', async () => {
    const parts = { subject: '{{ order }}', text: '{{ channel | json }} {{ event.slug }} {{ order }}' };
    const context = { order: 'A-17' };
    const templates = [{ channel: 'hook', ...parts, per: undefined }];
    await tenant.apply({ notifications: [{ name: 'Tell', templates }] });
    const { subject, text, html, missing, optional } = await preview({ ...parts, channel: 'hook', context });
    expect([missing, optional]).toEqual([[], []]);
    await tenant.triggerAndSettle(context);
    const bodies = sink.requests.map(({ body }) => JSON.parse(body) as { data: object });
    expect(bodies).toMatchObject([{ data: { subject, text, html } }]);

    const noUser = expect.stringContaining('one post to the room has no user');
    const greeting = { subject: 'Hi', text: 'Hi {{ user.first_name }}', channel: 'hook' };
    expect(await refused(greeting)).toEqual({ text: [noUser] });
    expect(await refused({ ...greeting, per: 'room' })).toEqual({ text: [noUser] });
    expect(await refused({ text: 'Hi', channel: 'hook', user: 'ann@acme.test' })).toEqual({ user: [noUser] });
    expect((await preview({ ...greeting, per: 'person' })).text).toBe('Hi Sam');
    expect((await preview({ ...greeting, per: 'person', user: 'ann@acme.test' })).text).toBe('Hi Ann');
    const toEach = { per: [expect.stringContaining('this channel sends to each user')] };
    expect(await refused({ ...greeting, channel: 'inbox', per: 'room' })).toEqual(toEach);
    expect(await refused({ text: 'Hi', per: 'room' })).toEqual(toEach);
    expect(await refused({ text: 'Hi', per: 'house' })).toEqual({ per: ['must be one of room, person'] });
  });

  it('tells what the template needs and nobody has, apart from what it can do without', async () => {
    const draft = {
      subject: '{{ order.total }} {{ order.id }} {{ user.custom_fields.team }}',
      html: '{% for i in items %}{{ i.name }}{% endfor %}{% if vip %}{{ discount }}{% endif %}{{ note | default: "-" }}',
      user: 'ann@acme.test',
      context: { order: { id: 1 }, items: [{ name: 'a' }, { name: null }] },
    };
    expect(await preview(draft)).toMatchObject({
      subject: '1 ops',
      missing: ['order.total', 'items[1].name'],
      optional: ['vip', 'discount', 'note'],
    });
    expect((await preview({ ...draft, user: undefined })).missing).toContain('user.custom_fields.team');
  });

  it('says when a template names too much for that', async () => {
    const text = `{{ ${'a['.repeat(300)}b${']'.repeat(300)} }}`;
    expect(await preview({ text })).toMatchObject({ text: '', missing: null, optional: null });
  });

  it('costs one statement, and stores nothing', async () => {
    await preview({ text: 'a' });
    const counts = `select (select count(*) from occurrences) o, (select count(*) from deliveries) d`;
    const before = (await app.pool.query(counts)).rows;
    const sent = await sentDuring(() => preview({ text: '{{ a }}', channel: 'inbox', user: 'ann@acme.test' }));
    expect(sent.filter(({ text }) => text.includes('email_key = $5'))).toHaveLength(1);
    expect((await app.pool.query(counts)).rows).toEqual(before);
  });
});

describe('a draft that is wrong', () => {
  it('is told by part and line', async () => {
    expect(await refused({ subject: '{{ a', text: 'fine', html: 'one\n{% if a %}\nthree' })).toEqual({
      subject: [expect.stringMatching(/not closed, line:1/)],
      html: [expect.stringMatching(/not closed, line:2/)],
    });
    expect(await refused({ html: 'a', markdown: 'b' })).toEqual({ markdown: ['Give one of html, markdown, mjml.'] });
  });

  it('is told by part and line also when it fails with this context', async () => {
    const draft = { subject: 'fine', text: 'one\n{{ code | base64_decode }}', html: 'fine' };
    expect(await refused({ ...draft, context: { code: '!' } })).toEqual({ text: [expect.stringMatching(/line:2/)] });
    expect((await preview({ ...draft, context: { code: 'aGk=' } })).text).toBe('one\nhi');
  });

  it('is given up when it costs too much', async () => {
    const html = '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}';
    expect(await refused({ subject: 'fine', html })).toEqual({
      html: [expect.stringMatching(/too (long|large|much)/)],
    });
  });

  it.each([
    ['subject', 1],
    ['text', null],
    ['html', {}],
    ['markdown', []],
    ['channel', 1],
    ['channel', 'nowhere'],
    ['channel', ''],
    ['user', null],
    ['user', 'nobody@acme.test'],
    ['context', []],
    ['context', null],
    ['colour', 'red'],
    ['text', 'x'.repeat(131_073)],
  ])('names %s when it is %j', async (field, value) => {
    expect(Object.keys(await refused({ [field]: value }))).toEqual([field]);
  });
});

describe('what a preview does not reach', () => {
  it('a user, for a key that may not read users', async () => {
    const key = await app.key({ org: tenant.org, permissions: ['notification:read'] });
    const { status, body } = await ask({ text: '{{ user | json }}', user: 'ann@acme.test' }, key);
    expect([status, body]).toEqual([403, forbidden('user:read')]);
    expect((await ask({ text: 'a' }, key)).status).toBe(200);
  });

  it('anything, for a key without the permission', async () => {
    const permissions = PERMISSIONS.filter((permission) => permission !== 'notification:read');
    const { status, body } = await ask({}, await app.key({ org: tenant.org, permissions }));
    expect([status, body]).toEqual([403, forbidden('notification:read')]);
  });

  it('users and channels of another organization', async () => {
    await Tenant.create(app, { channels: [inbox('theirs')], users: [{ email: 'bob@globex.test' }] });
    expect(await refused({ channel: 'theirs' })).toEqual({
      channel: ['is not a channel of the project or the organization'],
    });
    expect(await refused({ user: 'bob@globex.test' })).toEqual({ user: ['is not a user of the organization'] });
  });
});
