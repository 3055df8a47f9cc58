import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { NotificationEntry, TemplateEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { useApp } from '../support/app/use.js';
import { invalid } from '../support/contract/problems.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const tell = (parts: Omit<TemplateEntry, 'channel'>, entry: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  audience: { field: 'first_name', is: 'Ann' },
  templates: [{ channel: 'inbox', ...parts }],
  ...entry,
});

const tenantWith = (...notifications: NotificationEntry[]) =>
  Tenant.create(app, { channels: [inbox('inbox')], users: [], notifications });

const EVENT = '/p/shop/a/web/e/order-paid';

async function schemaOf(tenant: Tenant): Promise<Record<string, unknown>> {
  const { status, body } = await app.as(tenant.key).get(`/api/o/${tenant.org}${EVENT}/schema/`);
  expect([status, body]).toEqual([200, expect.objectContaining({ type: 'object' })]);
  return body as Record<string, unknown>;
}

const trigger = (tenant: Tenant, context: object | undefined, query: string) =>
  app.as(tenant.key).post(`/api/o/${tenant.org}${EVENT}/trigger/${query}`).send({ context });

async function lacking(tenant: Tenant, context?: object): Promise<string[]> {
  const { status, body } = await trigger(tenant, context, '?strict=1');
  if (status === 201) return [];
  const { errors } = body as { errors: Record<string, string[]> };
  expect([status, body]).toEqual([400, invalid(errors)]);
  return Object.keys(errors);
}

const ORDER = {
  subject: 'Order {{ order.number }}',
  html: `<p>{{ user.first_name }} of {{ organization.name }}, {{ order.note | default: "-" }}</p>
    {% for line in order.lines %}{{ line.sku }} {{ line.size_of | default: "" }}{% endfor %}
    {% if coupon %}{{ coupon.code }}{% endif %}`,
};
const GOOD = { order: { number: 1, lines: [{ sku: 'a' }] } };

describe('the schema of a context', () => {
  it('has what templates and conditions look at, and who does', async () => {
    const tenant = await tenantWith(
      tell(ORDER),
      tell({ text: '{{ boss }}' }, { name: 'Tell the boss', when: 'order.total > `100` && country' }),
      tell({ text: '{{ nobody }}' }, { name: 'Off', enabled: false }),
    );
    const by = (part: string, notification = 'Tell', channel: string | null = 'inbox') => ({
      'x-used-by': [{ notification, channel, part }],
    });
    const needed = { type: ['array', 'boolean', 'number', 'object', 'string'] };
    expect(await schemaOf(tenant)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        boss: by('text', 'Tell the boss'),
        country: by('when', 'Tell the boss', null),
        coupon: { type: ['object', 'null'], ...by('html'), properties: { code: by('html') } },
        order: {
          type: 'object',
          properties: {
            lines: {
              type: 'array',
              ...by('html'),
              items: {
                type: 'object',
                properties: { size_of: by('html'), sku: { ...needed, ...by('html') } },
                required: ['sku'],
              },
            },
            note: by('html'),
            number: { ...needed, ...by('subject') },
            total: { ...needed, ...by('when', 'Tell the boss', null) },
          },
          required: ['lines', 'number', 'total'],
        },
      },
      required: ['order'],
    });
  });

  it('has the field of a thread, also in the event that ends its steps', async () => {
    const steps = [{ channels: ['inbox'] }, { after: '5m', unless: 'read' as const, channels: ['backup'] }];
    const thread = {
      thread: 'incident.id',
      steps,
      templates: ['inbox', 'backup'].map((channel) => ({ channel, text: 'Down' })),
    };
    const tenant = await Tenant.create(app, {
      channels: [inbox('inbox'), inbox('backup')],
      users: [],
      notifications: [tell({}, thread), tell({ text: 'Hi' }, { name: 'Others', thread: 'other' })],
    });
    const events = `/api/o/${tenant.org}/p/shop/a/web/e/`;
    await app.as(tenant.key).post(events).send({ slug: 'over', name: 'Over', resolves_event: 'order-paid' });
    const by = { 'x-used-by': [{ notification: 'Tell', channel: null, part: 'thread' }] };
    const incident = { type: ['object', 'null'], properties: { id: by } };
    const { properties } = await schemaOf(tenant);
    expect(properties).toEqual({
      incident,
      other: { 'x-used-by': [expect.objectContaining({ notification: 'Others' })] },
    });
    const { body } = await app.as(tenant.key).get(`${events}over/schema/`);
    expect(body).toMatchObject({ properties: { incident } });
    expect(body).not.toHaveProperty('properties.other');
  });

  it('is that of the notifications as they are now', async () => {
    const tenant = await tenantWith();
    expect(await schemaOf(tenant)).toEqual({ $schema: expect.any(String), type: 'object' });
    await tenant.apply({ notifications: [tell({ text: '{{ first }}' })] });
    expect(await schemaOf(tenant)).toMatchObject({ required: ['first'] });
    await tenant.apply({ notifications: [tell({ text: '{{ second }}' })] });
    expect(await schemaOf(tenant)).toMatchObject({ required: ['second'] });
  });

  it('says which parts name too much', async () => {
    const tenant = await tenantWith(tell({ subject: '{{ a }}', text: `{{ ${'a['.repeat(300)}b${']'.repeat(300)} }}` }));
    expect(await schemaOf(tenant)).toMatchObject({
      required: ['a'],
      'x-not-checked': [{ notification: 'Tell', channel: 'inbox', part: 'text' }],
    });
  });

  it('looks through rules once', async () => {
    const tenant = await tenantWith(tell(ORDER));
    const rulesRead = async () =>
      (await sentDuring(() => schemaOf(tenant))).filter(({ text }) => /\brule_versions\b/.test(text)).length;
    expect(await rulesRead()).toBe(1);
    expect(await rulesRead()).toBe(0);
  });
});

describe('a strict trigger', () => {
  it.each<[what: string, context: object | undefined, fields: string[]]>([
    ['everything', undefined, ['context.order.number', 'context.order.lines']],
    ['a field', { order: { lines: [] } }, ['context.order.number']],
    ['a field that is null', { order: { lines: [], number: null } }, ['context.order.number']],
    ['a field of an item', { order: { number: 1, lines: [{ sku: 'a' }, {}] } }, ['context.order.lines[1].sku']],
    ['an object in place of a text', { order: 'A-17' }, ['context.order.number', 'context.order.lines']],
  ])('refuses a context that lacks %s', async (_, context, fields) => {
    const tenant = await tenantWith(tell(ORDER));
    expect((await lacking(tenant, context)).sort()).toEqual(fields.sort());
    const valid = new Ajv2020({ strict: false }).compile(await schemaOf(tenant));
    expect(valid(context ?? {})).toBe(false);
    // Nothing was stored, and without `strict` nobody asks.
    const occurrences = `select from occurrences where event_id = (select event_id from notifications where organization_id =
      (select id from organizations where slug = $1))`;
    expect((await app.pool.query(occurrences, [tenant.org])).rowCount).toBe(0);
    expect((await trigger(tenant, context, '')).status).toBe(201);
    expect((await trigger(tenant, context, '?strict=0')).status).toBe(201);
  });

  it.each([
    ['only what is needed', GOOD],
    ['an empty list', { order: { number: 0, lines: [] } }],
    ['fields that are false or empty', { order: { number: '', lines: [{ sku: false }] } }],
    ['null for what may be left out', { order: { number: 1, lines: [], note: null }, coupon: null }],
    ['more than is looked at', { ...GOOD, more: 1 }],
  ])('takes a context with %s', async (_, context) => {
    const tenant = await tenantWith(tell(ORDER));
    expect(await lacking(tenant, context)).toEqual([]);
    const valid = new Ajv2020({ strict: false }).compile(await schemaOf(tenant));
    expect(valid(context)).toBe(true);
  });

  it('asks for what a notification says only where its condition holds', async () => {
    const tenant = await tenantWith(tell({ text: '{{ boss }}' }, { when: 'total > `100`' }));
    expect(await lacking(tenant, { total: 50 })).toEqual([]);
    expect(await lacking(tenant, { total: 200 })).toEqual(['context.boss']);
    expect(await lacking(tenant, {})).toEqual(['context.total']);
  });

  it('says which notification needs a field', async () => {
    const tenant = await tenantWith(tell({ text: '{{ a }}' }), tell({ text: '{{ a }}' }, { name: 'Other' }));
    const { body } = await trigger(tenant, {}, '?strict=1');
    const need = (name: string) => `must be given: the notification "${name}" needs it`;
    expect(body).toEqual(invalid({ 'context.a': [need('Tell'), need('Other')] }));
  });

  it('asks nothing where there are no notifications', async () => {
    expect(await lacking(await tenantWith(), {})).toEqual([]);
  });

  it.each(['?strict=', '?strict=2', '?strict=true', '?strict=1&strict=1'])('is not %s', async (query) => {
    const { status, body } = await trigger(await tenantWith(), {}, query);
    expect([status, body]).toEqual([400, invalid({ strict: ['must be 0 or 1'] })]);
  });

  it('costs one statement more, and a usual one none', async () => {
    const tenant = await tenantWith(tell(ORDER));
    const cost = (query: string) => sentDuring(async () => void (await trigger(tenant, GOOD, query)));
    await cost('?strict=1');
    const [usual, strict] = [await cost(''), await cost('?strict=1')];
    expect(strict.length - usual.length).toBe(1);
  });
});
