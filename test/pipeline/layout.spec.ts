import { expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

const NOTIFICATIONS = 40;

/** The bodies of all mails that have arrived. */
async function bodies() {
  const mails = await Promise.all(sink.mails.map(({ raw }) => PostalMime.parse(raw)));
  return mails.map(({ html, text }) => [html?.trim(), text?.trim()]);
}

it('sends what was triggered before a change of a layout or partial as it was', async () => {
  const channel = mail('mail', sink.port);
  const tenant = await Tenant.create(app, {
    channels: [{ ...channel, enabled: false }],
    users: [{ email: 'ann@acme.test', first_name: 'Ann' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
  });
  const put = async (path: string, body: object) => {
    const answer = await app.as(tenant.key).put(`/api/o/${tenant.org}/${path}/`).send(body);
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
  };
  await put('partials/end', { html: '<p>{{ organization.name }}</p>', text: '{{ organization.name }}' });
  await put('layouts/main', {
    html: "<i>{{ content }}</i>{% render 'end' %}",
    text: "{{ content }}, {% render 'end' %}",
  });
  const templates = [{ channel: 'mail', subject: 'Hi', text: 'Hi {{ user.first_name }}', layout: 'main' }];
  await tenant.apply({
    notifications: Array.from({ length: NOTIFICATIONS }, (_, i) => ({
      ...{ name: `Tell ${i}`, distribution_list: 'Staff', templates },
    })),
  });
  const before = await tenant.trigger();
  const uses = await app.as(tenant.key).get(`/api/o/${tenant.org}/partials/end/uses/`);
  expect(uses.body).toHaveLength(NOTIFICATIONS);
  await put('partials/end', { html: '<p>New</p>', text: 'New' });
  await put('layouts/main', {
    html: "<b>{{ content }}</b>{% render 'end' %}",
    text: "{{ content }}! {% render 'end' %}",
  });
  await tenant.apply({ channels: [{ ...channel, enabled: true }] });
  await tenant.settled(before);
  const old = [`<i><p>Hi Ann</p></i><p>The ${tenant.org}</p>`, `Hi Ann, The ${tenant.org}`];
  expect(await bodies()).toEqual(Array(NOTIFICATIONS).fill(old));
  await tenant.settled(await tenant.trigger());
  expect((await bodies()).slice(NOTIFICATIONS)).toEqual(
    Array(NOTIFICATIONS).fill(['<b><p>Hi Ann</p></b><p>New</p>', 'Hi Ann! New']),
  );
});

it('leaves the ruleset alone when nothing changes', async () => {
  const tenant = await Tenant.create(app, {
    channels: [mail('mail', sink.port)],
    users: [{ email: 'ann@acme.test' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi', layout: 'default' }] },
    ],
  });
  const revisions = async () =>
    (await app.as(tenant.key).get(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/revisions/`)).body as unknown[];
  const path = `/api/o/${tenant.org}/layouts/default/`;
  expect(await revisions()).toHaveLength(1);
  for (let i = 0; i < 2; i++) await app.as(tenant.key).put(path).send({ html: '<p>{{ content }}</p>' });
  expect(await revisions()).toHaveLength(2);
  expect((await app.as(tenant.key).delete(path)).status).toBe(204);
  expect(await revisions()).toHaveLength(3);
});

it('shows the brand of the organization, as it was at the trigger', async () => {
  const channel = mail('mail', sink.port);
  const tenant = await Tenant.create(app, {
    channels: [{ ...channel, enabled: false }],
    users: [{ email: 'ann@acme.test' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'mail', markdown: '**Hi**', layout: 'default' }],
      },
    ],
  });
  const settings = (body: object) => app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send(body);
  const links = [{ label: 'Help', url: 'https://acme.test/help' }];
  expect((await settings({ color: '#123456', address: 'Main Street 1', links })).body).toMatchObject({ links });
  const before = await tenant.trigger();
  await settings({ color: '#abcdef', address: null, links: null });
  const count = sink.mails.length;
  await tenant.apply({ channels: [{ ...channel, enabled: true }] });
  await tenant.settled(before);
  await tenant.settled(await tenant.trigger());
  const [old, now] = (await bodies()).slice(count).map(([html]) => html!);
  expect(old).toMatch(/solid #123456[^]*<strong>Hi<\/strong>[^]*acme.test\/help[^]*Main Street 1/);
  expect(now).toMatch(/solid #abcdef[^]*<strong>Hi<\/strong>/);
  expect(now).not.toMatch(/acme.test\/help|Main Street/);
});

it.each([
  [{ links: [{ label: 'x', url: 'javascript:alert(1)' }] }, 'links[0].url'],
  [{ links: [{ label: 'x', url: { toString: 1 } }] }, 'links[0].url'],
  [{ links: [{ url: 'https://a.test/' }] }, 'links[0].label'],
  [{ links: 'x' }, 'links'],
  [{ address: 'a\nb' }, 'address'],
  [{ address: 'x'.repeat(301) }, 'address'],
])('refuses a brand that mails cannot show: %j', async (body, field) => {
  const tenant = await Tenant.create(app, {});
  const answer = await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send(body);
  expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([400, [field]]);
});
