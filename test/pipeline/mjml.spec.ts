import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
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

const mjml = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
const [HELLO, HALLO] = [mjml('Hello {{ user.first_name }}'), mjml('Hallo {{ user.first_name }}')];

const [ANN, BOB] = ['ann@acme.test', 'bob@acme.test'];

const tenantWith = () =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port)],
    users: [
      { email: ANN, first_name: 'Ann <3' },
      { email: BOB, first_name: 'Bob', locale: 'de-AT' },
    ],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
  });

const eventOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid`;
const notify = (tenant: Tenant, template: object) =>
  app
    .as(tenant.key)
    .post(`${eventOf(tenant)}/n/`)
    .send({
      name: 'Tell',
      distribution_lists: ['Staff'],
      templates: [{ channel: 'mail', subject: 'Hi', ...template }],
    });
const errorsOf = async (tenant: Tenant, template: object) => {
  const { status, body } = await notify(tenant, template);
  return [status, (body as { errors?: unknown }).errors];
};

/** The HTML of the mail to each user. */
async function received(): Promise<Record<string, string>> {
  const mails = await Promise.all(sink.mails.map(async ({ raw }) => PostalMime.parse(raw)));
  return Object.fromEntries(mails.map(({ to, html }) => [to![0]!.address, html!]));
}

describe('a template in MJML', () => {
  it('is sent as HTML, and read as it was written', async () => {
    const tenant = await tenantWith();
    const translations = { de: { mjml: HALLO } };
    const created = await notify(tenant, { mjml: HELLO, translations: { DE: { mjml: HALLO } } });
    expect([created.status, created.body]).toMatchObject([
      201,
      { templates: [{ mjml: HELLO, html: null, translations }] },
    ]);
    await tenant.settled(await tenant.trigger());
    const html = await received();
    expect(html[ANN]).toMatch(/^<!doctype html>[^]*>Hello Ann &lt;3<\/div>/);
    expect(html[BOB]).toMatch(/^<!doctype html>[^]*>Hallo Bob<\/div>/);
    expect(html[ANN]).not.toContain('mj-text');
  });

  it('becomes HTML, and HTML becomes it again', async () => {
    const tenant = await tenantWith();
    const { id } = (await notify(tenant, { mjml: HELLO })).body as { id: number };
    const put = async (template: object) => {
      const answer = await app
        .as(tenant.key)
        .patch(`${eventOf(tenant)}/n/${id}/`)
        .send({ templates: [{ channel: 'mail', subject: 'Hi', ...template }] });
      const [{ html, mjml: source }] = (answer.body as { templates: [{ html: string; mjml: string }] }).templates;
      return [answer.status, html, source];
    };
    expect(await put({ html: '<p>Hi</p>' })).toEqual([200, '<p>Hi</p>', null]);
    expect(await put({ mjml: HALLO })).toEqual([200, null, HALLO]);
  });

  it('is refused with the line that is wrong', async () => {
    const tenant = await tenantWith();
    expect(await errorsOf(tenant, { mjml: mjml('\n<mj-button>') })).toEqual([
      400,
      { 'templates.mail.mjml': ['</mj-text> closes nothing here: <mj-button> is open, line:2'] },
    ]);
    expect(await errorsOf(tenant, { mjml: mjml('\n{{ user.first_name') })).toEqual([
      400,
      { 'templates.mail.mjml': [expect.stringContaining('line:2')] },
    ]);
    expect(await errorsOf(tenant, { mjml: HELLO, translations: { de: { mjml: '<p>Hallo</p>' } } })).toEqual([
      400,
      { 'templates.mail.translations.de.mjml': ['is no MJML: unexpected token, line:1'] },
    ]);
    expect(await errorsOf(tenant, { mjml: HELLO, html: '<p>' })).toEqual([
      400,
      { 'templates.mail.mjml': ['Give one of html, markdown, mjml.'] },
    ]);
    expect(await errorsOf(tenant, { mjml: HELLO, layout: 'default' })).toEqual([
      400,
      { 'templates.mail.mjml': [expect.stringContaining('cannot have a layout around it')] },
    ]);
    expect((await notify(tenant, { mjml: HELLO })).status).toBe(201);
  });

  it('is previewed as a draft', async () => {
    const tenant = await tenantWith();
    const preview = (body: object) =>
      app
        .as(tenant.key)
        .post(`${eventOf(tenant)}/preview/`)
        .send(body);
    const shown = await preview({ mjml: HELLO, translations: { de: { mjml: HALLO } }, user: BOB });
    expect((shown.body as { html: string }).html).toContain('>Hallo Bob</div>');
    expect((await preview({ mjml: mjml('<mj-text>') })).body).toMatchObject({
      errors: { mjml: [expect.stringContaining('line:1')] },
    });
    const inLayout = await preview({ text: 'Hi', layout_draft: { mjml: mjml('{{ content }}') } });
    expect((inLayout.body as { html: string }).html).toMatch(/<html lang="en" dir="ltr"[^]*<p>Hi<\/p>/);
  });
});

describe('a layout in MJML', () => {
  const layoutOf = ({ org }: Tenant) => `/api/o/${org}/layouts/main/`;

  it('stands around the message, in the language of the message', async () => {
    const tenant = await tenantWith();
    const put = await app
      .as(tenant.key)
      .put(layoutOf(tenant))
      .send({ mjml: mjml('Acme {{ content }}') });
    const expected = { slug: 'main', html: null, text: null, mjml: mjml('Acme {{ content }}') };
    expect([put.status, put.body]).toEqual([200, expected]);
    expect((await app.as(tenant.key).get(layoutOf(tenant))).body).toEqual(expected);
    expect((await app.as(tenant.key).get(`/api/o/${tenant.org}/layouts/`)).body).toEqual([expected]);
    expect((await notify(tenant, { markdown: '**Hi**', layout: 'main' })).status).toBe(201);
    await tenant.settled(await tenant.trigger());
    const html = await received();
    expect(html[ANN]).toMatch(/<html lang="en" dir="ltr"[^]*>Acme <p><strong>Hi<\/strong><\/p>/);
  });

  it('must have a place for the message, and partials have no MJML', async () => {
    const tenant = await tenantWith();
    const errors = async (path: string, body: object) => {
      const answer = await app.as(tenant.key).put(path).send(body);
      return [answer.status, (answer.body as { errors: unknown }).errors];
    };
    expect(await errors(layoutOf(tenant), { mjml: mjml('Acme') })).toEqual([
      400,
      { mjml: [expect.stringContaining('must contain {{ content }}')] },
    ]);
    expect(await errors(`/api/o/${tenant.org}/partials/end/`, { mjml: HELLO })).toEqual([
      400,
      { mjml: [expect.stringContaining('is only for layouts and templates')] },
    ]);
  });
});

it('exports MJML as it was written, and applying that changes nothing', async () => {
  const tenant = await tenantWith();
  await app
    .as(tenant.key)
    .put(`/api/o/${tenant.org}/layouts/main/`)
    .send({ mjml: mjml('{{ content }}') });
  await notify(tenant, { mjml: HELLO, translations: { de: { mjml: HALLO } } });
  const env = { DATABASE_URL: app.databaseUrl };
  const { stdout: file } = await cli(['export', 'config', '--org', tenant.org], env);
  expect(file).toContain('Hallo {{ user.first_name }}');
  expect(file).not.toContain('<!doctype');
  expect((await cli(['apply', 'FILE', '--dry-run'], env, file)).stdout).toContain('nothing to change');
  const changed = file.replaceAll('Hello', 'Good day');
  const { stdout } = await cli(['apply', 'FILE', '--dry-run'], env, changed);
  expect(stdout).toContain('templates.mail.mjml');
  expect(stdout).not.toContain('templates.mail.html');
  expect((await cli(['preview', 'FILE', '--user', BOB], {}, changed)).stdout).toContain('Hallo Bob');
});
