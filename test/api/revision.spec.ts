import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const EVENT = 'p/shop/a/web/e/order-paid';

interface Revision {
  id: number;
  superseded_at: string | null;
  actor: string | null;
  changes: object[];
}

const NO_SENDER = {
  ...{ from: null, reply_to: null, headers: null, translations: null, layout: null },
  ...{ url: null, image: null, actions: null, data: null, template: null },
};

it('the revisions of an event show what each change made of its notifications, newest first', async () => {
  const tenant = await Tenant.create(app, {
    channels: [inbox('box')],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'box', text: 'Hi' }] }],
  });
  const key = await app.key({ org: tenant.org, name: 'editor' });
  const path = `/api/o/${tenant.org}/${EVENT}/`;
  const { body: notifications } = await app.as(key).get(`${path}n/`);
  const [{ id }] = notifications as [{ id: number }];
  const patch = async (body: object) =>
    expect((await app.as(key).patch(`${path}n/${id}/`).send(body)).status).toBe(200);
  await patch({ templates: [{ channel: 'box', text: 'Hello' }] });
  await patch({ name: 'Told', when: 'total > `1`' });
  await app.as(key).delete(`${path}n/${id}/`);

  const { status, body } = await app.as(key).get(`${path}revisions/`);
  const revisions = body as Revision[];
  const template = {
    channel: 'box',
    subject: null,
    html: null,
    markdown: null,
    mjml: null,
    per: 'person',
    ...NO_SENDER,
  };
  const rule = {
    ...{
      name: 'Tell',
      enabled: true,
      when: null,
      audience: null,
      to: null,
      window: null,
      digest: null,
      limit: null,
      steps: null,
      acknowledge: null,
      thread: null,
    },
    distribution_lists: ['Staff'],
    templates: [{ ...template, text: 'Hello' }],
  };
  expect(status).toBe(200);
  expect(revisions.map(({ actor, changes }) => ({ actor, changes }))).toEqual([
    { actor: 'editor', changes: [{ notification: id, name: 'Told', change: 'deleted', rule: null }] },
    {
      actor: 'editor',
      changes: [
        { notification: id, name: 'Told', change: 'updated', rule: { ...rule, name: 'Told', when: 'total > `1`' } },
      ],
    },
    { actor: 'editor', changes: [{ notification: id, name: 'Tell', change: 'updated', rule }] },
    {
      actor: expect.any(String),
      changes: [
        {
          notification: id,
          name: 'Tell',
          change: 'created',
          rule: { ...rule, templates: [{ ...template, text: 'Hi' }] },
        },
      ],
    },
  ]);
  expect(revisions.map(({ superseded_at: at }) => at === null)).toEqual([true, false, false, false]);

  // Page by page the same: a page knows the revision before its last one.
  const paged: Revision[] = [];
  for (let after = ''; ; after = `&after=${paged.at(-1)!.id}`) {
    const page = await app.as(key).get(`${path}revisions/?limit=1${after}`);
    paged.push(...(page.body as Revision[]));
    if (!page.headers.link) break;
  }
  expect(paged).toEqual(revisions);

  // Who did it is for keys that may read the audit log.
  const others: object[] = [{ permissions: ['notification:read'] }, { project: 'shop' }];
  for (const options of others) {
    const other = await app.as(await app.key({ org: tenant.org, ...options })).get(`${path}revisions/`);
    expect((other.body as Revision[]).map(({ actor }) => actor)).toEqual([null, null, null, null]);
  }
});
