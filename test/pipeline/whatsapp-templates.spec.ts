import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { builtInText } from '../../src/dispatcher/provider/built-in.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { FakeMeta, META_ACCOUNT, META_SETTINGS } from '../support/providers/meta.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
let meta: FakeMeta;
let folder: string;

/** The built-in file, for a service on this machine. */
beforeAll(async () => {
  meta = await FakeMeta.start();
  folder = mkdtempSync(join(tmpdir(), 'carillon-templates-'));
  const text = builtInText('whatsapp').replaceAll('https://graph.facebook.com', meta.origin);
  writeFileSync(join(folder, 'whatsapp_here.yaml'), text.replace(/^type: \w+/, 'type: whatsapp_here'));
  app = await TestApp.start({ ROLE: 'all', PROVIDERS_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  await meta.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => meta.reset());

const CONFIG = { ...META_SETTINGS, business_account_id: META_ACCOUNT };

/** A tenant with a notification for each template. */
const tenantWith = (templates: Record<string, object>, config: Record<string, unknown> = CONFIG) =>
  Tenant.create(app, {
    channels: [{ slug: 'wa', name: 'WhatsApp', type: 'whatsapp_here', config }],
    users: [{ email: 'ann@acme.test', addresses: [{ name: 'whatsapp', value: '+15005550006' }] }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: Object.entries(templates).map(([name, template]) => ({
      ...{ name, distribution_list: 'Staff' },
      templates: [{ channel: 'wa', ...template }],
    })),
  });

const paid = (language: string, body: string[] = ['{{ total }}']) => ({
  template: { name: 'order_paid', language, parameters: { body } },
});

const stored = (name: string, language: string, status = 'APPROVED', text = 'You paid {{1}}.') => ({
  ...{ name, language, status },
  components: [{ type: 'BODY', text }],
});

const check = async ({ org, key }: Tenant) => {
  const { status, body } = await app.as(key).post(`/api/o/${org}/c/wa/check/`);
  expect(status).toBe(200);
  return body as { ok: boolean; templates: { notification: string; state: string; problem: string | null }[] };
};

const states = ({ templates }: Awaited<ReturnType<typeof check>>) =>
  Object.fromEntries(templates.map(({ notification, state, problem }) => [notification, `${state}: ${problem}`]));

it('a check names each notification whose template Meta would refuse, and why', async () => {
  const tenant = await tenantWith({
    Right: paid('en_US'),
    Foreign: paid('fr'),
    Waiting: paid('de'),
    More: paid('en_US', ['{{ total }}', '{{ order }}']),
    Missing: { template: { name: 'order_sent', language: 'en_US' } },
    Text: { text: 'Hi' },
  });
  meta.templates.push(
    stored('order_paid', 'en_US'),
    stored('order_paid', 'de', 'PENDING'),
    stored('order_paid_late', 'fr'),
  );
  const checked = await check(tenant);
  expect(checked).toMatchObject({ ok: true, fault: null });
  expect(states(checked)).toEqual({
    Right: 'ok: null',
    Foreign: 'wrong: the provider has order_paid in en_US, de, but not in fr',
    Waiting: 'wrong: the provider has not approved order_paid in de: it is PENDING',
    More: 'wrong: order_paid in en_US: its body takes 1 parameter by position, and the notification gives 2 by position',
    Missing: 'wrong: the provider has no template order_sent',
  });
  expect(checked.templates[0]).toMatchObject({
    ...{ event: 'shop/web/order-paid', template: 'order_paid', language: 'en_US' },
  });
  // Each name is looked up once, and no message is sent.
  expect(meta.requests.filter(({ path }) => path.includes('/message_templates'))).toHaveLength(2);
  expect(meta.shown).toEqual([]);
});

it('a check reads further pages, but not for ever', async () => {
  const tenant = await tenantWith({ Right: paid('en_US'), Hidden: { template: { name: 'paid', language: 'en_US' } } });
  meta.pageSize = 2;
  for (let n = 0; n < 4; n++) meta.templates.push(stored(`not_order_paid_${n}`, 'en_US'));
  meta.templates.push(stored('order_paid', 'en_US'));
  expect(states(await check(tenant))).toMatchObject({
    Right: 'ok: null',
    Hidden: 'wrong: the provider has no template paid',
  });
  meta.sink.requests.length = 0;
  for (let n = 0; n < 20; n++) meta.templates.push(stored(`paid_${n}`, 'en_US'));
  expect(states(await check(tenant))).toMatchObject({
    Hidden: 'unknown: not checked: the provider has too many templates',
  });
  expect(meta.requests.filter(({ path }) => /[?&]name=paid&/.test(path))).toHaveLength(5);
});

it('templates are not known without the account, without a permission, and if the settings are wrong', async () => {
  const plain = await tenantWith({ Right: paid('en_US') }, META_SETTINGS);
  expect(states(await check(plain))).toEqual({
    Right: 'unknown: not checked: the setting business_account_id is not set',
  });
  const tenant = await tenantWith({ Right: paid('en_US') });
  meta.refusesTemplates = 200;
  const refused = await check(tenant);
  expect(refused.ok).toBe(true);
  expect(states(refused).Right).toMatch(/^unknown: not checked: 403 .*\(#200\) Refused/);
  meta.sink.reply = () => 'reset';
  expect(await check(tenant)).toMatchObject({ ok: false, templates: [] });
});

it('templates are not known if Meta answers something else', async () => {
  const tenant = await tenantWith({ Right: paid('en_US') });
  const answer = meta.sink.reply;
  for (const body of [
    '{}',
    '{"data":',
    `{"data":[${' '.repeat(600_000)}]}`,
    '<html>',
    '{"data":{"name":"order_paid"}}',
  ]) {
    meta.sink.reply = (request) =>
      request.path.includes('/message_templates') ? { status: 200, body } : answer(request);
    expect(states(await check(tenant)).Right).toMatch(/^unknown: not checked: /);
  }
  meta.sink.reply = (request) =>
    request.path.includes('/message_templates')
      ? { status: 200, body: `{"data":[1,null,{"name":"order_paid","language":"${META_SETTINGS.access_token}"}]}` }
      : answer(request);
  expect(states(await check(tenant)).Right).toBe('wrong: the provider has order_paid in ***, but not in en_US');
});

it('the command names them, with the exit code of a refusal', async () => {
  const tenant = await tenantWith({ Right: paid('en_US'), Foreign: paid('fr') });
  meta.templates.push(stored('order_paid', 'en_US'));
  const env = { CARILLON_URL: app.url, CARILLON_KEY: tenant.key };
  const { code, stdout } = await cli(['channel', 'check', `${tenant.org}/wa`], env);
  expect(stdout.split('\n').slice(1)).toEqual([
    'ok: template of shop/web/order-paid "Right": order_paid in en_US',
    'wrong: template of shop/web/order-paid "Foreign": the provider has order_paid in en_US, but not in fr',
    '',
  ]);
  expect(code).toBe(2);
  meta.templates.push(stored('order_paid', 'fr'));
  expect((await cli(['channel', 'check', `${tenant.org}/wa`], env)).code).toBe(0);
});

it('doctor names them, and is well all the same', async () => {
  await app.pool.query('delete from templates');
  const tenant = await tenantWith({ Right: paid('en_US'), Foreign: paid('fr') });
  meta.templates.push(stored('order_paid', 'en_US'));
  const { code, stdout } = await cli(['doctor'], { DATABASE_URL: app.databaseUrl, PROVIDERS_DIR: folder });
  expect(stdout).toContain(
    `templates of the provider: ${tenant.org}/wa for shop/web/order-paid "Foreign" wrong (the provider has order_paid in en_US, but not in fr)`,
  );
  expect(stdout).not.toContain('"Right"');
  expect(code).toBe(0);
});
