import { describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { forbidden } from '../support/contract/problems.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';

interface Previewed {
  subject: string;
  text: string;
  html: string;
  html_bytes: number;
  head: Record<string, string> | null;
  attachments: { filename: string; size: number }[];
  checks: { id: string; level: string; sentence: string }[];
  missing: string[];
  language: { locale: string; by: string } | null;
}

const TEMPLATE = {
  subject: 'Order {{ order }}',
  html: `<p>{{ user.locale }}: {{ order }} of {{ occurrence.created_at }}</p>
    {% for file in occurrence.attachments %}<a href="{{ file.url }}">{{ file.filename }}</a>{% endfor %}`,
  layout: 'default',
  from: 'Shop {{ order }} <shop@acme.test>',
  headers: { 'X-Campaign': '{{ order }}' },
  translations: { de: { subject: 'Bestellung {{ order }}' } },
};
const PDF = { filename: 'bill.pdf', content_type: 'application/pdf', content: 'SGVsbG8=' };
const TOLD = { recipients: ['ann@acme.test'] };
/** Nothing is sent while the test runs. */
const LATER = { ...TOLD, send_at: '2099-01-01T00:00:00Z' };

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all', PUBLIC_URL: 'https://carillon.acme.test' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

let organizations = 0;

/** An organization with two projects that have the same event. */
async function organization() {
  const org = `mail-${++organizations}`;
  const config = { host: '127.0.0.1', port: sink.port, security: 'none', from: 'Acme <no-reply@acme.test>' };
  const notification = { name: 'Tell', to: 'recipients', templates: [{ channel: 'mail', ...TEMPLATE }] };
  const projects = ['shop', 'other'].map((slug) => ({
    ...{ slug, name: slug, categories: [{ slug: 'news', name: 'News & more' }] },
    applications: [
      {
        ...{ slug: 'web', name: 'Web' },
        events: [
          { slug: 'paid', name: 'Paid', category: 'news', notifications: [notification] },
          { slug: 'sent', name: 'Sent', notifications: [notification] },
        ],
      },
    ],
  }));
  await app.apply(
    JSON.stringify({
      organizations: [
        {
          ...{ slug: org, name: 'Acme', users: [{ email: 'ann@acme.test', first_name: 'Ann' }], projects },
          channels: [
            { slug: 'mail', name: 'Mail', type: 'email', config: { ...config, reply_to: 'Desk <desk@acme.test>' } },
            { slug: 'inbox', name: 'Inbox', type: 'inbox' },
          ],
        },
      ],
    }),
  );
  return {
    key: await app.key({ org }),
    event: (prj = 'shop', evt = 'paid') => `/api/o/${org}/p/${prj}/a/web/e/${evt}/`,
  };
}

async function preview(key: string, event: string, body: object): Promise<Previewed> {
  const answer = await app.as(key).post(`${event}preview/`).send(body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Previewed;
}

async function trigger(key: string, event: string, context: object, options: object): Promise<string> {
  const { body } = await app.as(key).post(`${event}trigger/`).send({ context, options }).expect(201);
  return (body as { occurrence: string }).occurrence;
}

describe('the preview of a mail', () => {
  it('shows the mail that was sent for an earlier occurrence', async () => {
    const { key, event } = await organization();
    const options = { ...TOLD, locale: 'de-AT', attachments: [{ ...PDF, cid: 'bill' }] };
    const occurrence = await trigger(key, event(), { order: 'A-17' }, options);
    const sent = await until(15_000, () => sink.mails.find(({ raw }) => raw.toString().includes('A-17')));
    const mail = await PostalMime.parse(sent.raw);
    const shown = await preview(key, event(), { ...TEMPLATE, channel: 'mail', user: 'ann@acme.test', occurrence });

    expect(shown).toMatchObject({
      subject: 'Bestellung A-17',
      missing: [],
      language: { locale: 'de-AT', by: 'trigger' },
    });
    expect(shown.subject).toBe(mail.subject);
    // Links to unsubscribe and to files are samples.
    const plain = (html: string) => html.replaceAll(/(acme\.test\/(?:u|files\/[^/]+)\/)[\w-]+/g, '$1sample').trim();
    expect(plain(mail.html!)).toBe(shown.html.trim());
    expect(shown.html).toContain('/sample');
    expect(shown.html_bytes).toBe(Buffer.byteLength(shown.html));
    expect(shown.attachments).toMatchObject([{ filename: 'bill.pdf', size: 5, cid: 'bill' }]);
    const header = (name: string) => mail.headers.find(({ key }) => key === name.toLowerCase())!.value;
    const { From, To, 'Reply-To': replyTo, ...others } = shown.head!;
    expect([From, To, replyTo]).toEqual(['Shop A-17 <shop@acme.test>', 'ann@acme.test', 'Desk <desk@acme.test>']);
    expect([From, To, replyTo]).toEqual(['From', 'To', 'Reply-To'].map((name) => header(name).replaceAll('"', '')));
    expect(Object.keys(others)).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Id', 'X-Campaign']);
    for (const [name, value] of Object.entries(others))
      expect([name, plain(header(name)).replaceAll('"', '')]).toEqual([name, value]);
    expect(shown.checks).toEqual([]);
  });

  it('says what a mail tool would say', async () => {
    const { key, event } = await organization();
    const html = '<img src="http://acme.test/a.png"><a href="{{ link }}">Pay</a>';
    const { checks } = await preview(key, event(), { html, channel: 'mail' });
    expect(checks.map(({ id, level }) => `${level} ${id}`)).toEqual([
      'error subject_empty',
      'warning missing_value',
      'warning no_unsubscribe',
      'error empty_link',
      'warning no_alt',
      'warning insecure_image',
      'warning only_images',
    ]);
    expect(checks[1]!.sentence).toContain('no value for link');
    const inInbox = await preview(key, event(), { html, channel: 'inbox', context: { link: 'https://acme.test' } });
    expect([inInbox.head, inInbox.checks.map(({ id }) => id)]).toEqual([null, ['no_alt', 'insecure_image']]);
  });

  it('shows files that a trigger would attach, by their names', async () => {
    const { key, event } = await organization();
    const draft = { ...TEMPLATE, html: `${TEMPLATE.html}<img src="cid:photo" alt="You">`, channel: 'mail' };
    const attachments = [
      { filename: 'bill.pdf', content_type: 'application/pdf' },
      { filename: 'a.png', cid: 'photo' },
    ];
    const shown = await preview(key, event(), { ...draft, context: { order: 'A-1' }, attachments });
    expect(shown.html).toMatch(/<a href="https:[^"]+\/sample">bill.pdf<\/a><a [^>]+>a.png<\/a>/);
    expect(shown.attachments).toMatchObject([
      { filename: 'bill.pdf', content_type: 'application/pdf', size: null, cid: null },
      { filename: 'a.png', content_type: 'application/octet-stream', cid: 'photo' },
    ]);
    expect(shown.checks.map(({ id }) => id)).toEqual([]);
    const without = await preview(key, event(), { ...draft, context: { order: 'A-1' } });
    expect(without.checks.map(({ id }) => id)).toEqual(['missing_inline_image']);
  });

  it.each([
    [[{ filename: 'a/b' }], 'attachments[0].filename'],
    [[{ content_type: 'text/plain' }], 'attachments[0].filename'],
    [[{ filename: 'a', content_type: 'x' }], 'attachments[0].content_type'],
    [[{ filename: 'a', cid: ' ' }], 'attachments[0].cid'],
    [[{ filename: 'a', size: 1 }], 'attachments[0].size'],
    [['a'], 'attachments[0]'],
    [Array(21).fill({ filename: 'a' }), 'attachments'],
    [{}, 'attachments'],
  ])('refuses wrong files by the name of the field: %j', async (attachments, field) => {
    const { key, event } = await organization();
    const { status, body } = await app.as(key).post(`${event()}preview/`).send({ text: 'Hi', attachments });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
  });

  it('takes another locale than the occurrence has', async () => {
    const { key, event } = await organization();
    const occurrence = await trigger(key, event(), { order: 'A-18' }, { ...LATER, locale: 'de' });
    const inEnglish = await preview(key, event(), { ...TEMPLATE, channel: 'mail', occurrence, locale: 'en' });
    expect(inEnglish).toMatchObject({ subject: 'Order A-18', language: { locale: 'en' }, attachments: [] });
  });
});

describe('an earlier occurrence', () => {
  it('is not found unless the event has it', async () => {
    const { key, event } = await organization();
    const other = await organization();
    const options = { ...LATER, attachments: [PDF] };
    const foreign = await Promise.all([
      trigger(key, event('other'), { order: 'secret' }, options),
      trigger(key, event('shop', 'sent'), { order: 'secret' }, options),
      trigger(other.key, other.event(), { order: 'secret' }, options),
    ]);
    for (const occurrence of [...foreign, '0198c5a7-3a1e-7b0e-8a53-0d5a5f9b2c11']) {
      const { status, body } = await app.as(key).post(`${event()}preview/`).send({ text: '{{ order }}', occurrence });
      expect([status, JSON.stringify(body)]).toEqual([404, expect.not.stringContaining('secret')]);
    }
  });

  it('needs the permission to read occurrences, and takes the place of a context', async () => {
    const { key, event } = await organization();
    const occurrence = await trigger(key, event(), { order: 'A-19' }, LATER);
    const [, , , org] = event().split('/');
    const reader = await app.key({ org: org!, permissions: ['notification:read', 'user:read'] });
    const { status, body } = await app.as(reader).post(`${event()}preview/`).send({ text: 'a', occurrence });
    expect([status, body]).toEqual([403, forbidden('occurrence:read')]);
    for (const [field, wrong] of [
      ['context', { occurrence, context: {} }],
      ['occurrence', { occurrence: 'latest' }],
    ] as const) {
      const refused = await app.as(key).post(`${event()}preview/`).send(wrong);
      expect([refused.status, Object.keys((refused.body as { errors: object }).errors)]).toEqual([400, [field]]);
    }
  });
});

describe('a test message of a draft', () => {
  it('is the mail that the preview shows, with its HTML, translation, headers and files', async () => {
    const { key, event } = await organization();
    const occurrence = await trigger(key, event(), { order: 'T-20' }, { ...LATER, attachments: [PDF] });
    const draft = { ...TEMPLATE, channel: 'mail', user: 'ann@acme.test', locale: 'de', occurrence };
    const shown = await preview(key, event(), draft);
    const { status, body } = await app.as(key).post(`${event()}preview/test/`).send(draft);
    expect([status, body]).toEqual([200, expect.objectContaining({ outcome: 'sent' })]);
    const sent = sink.mails.find(({ raw }) => raw.toString().includes('T-20'))!;
    const mail = await PostalMime.parse(sent.raw);
    expect([mail.subject, mail.html!.trim()]).toEqual(['[Test] Bestellung T-20', shown.html.trim()]);
    expect(mail.text!.trim()).toBe(shown.text.trim());
    expect(mail.from).toMatchObject({ name: 'Shop T-20', address: 'shop@acme.test' });
    expect(mail.headers.find(({ key: name }) => name === 'x-campaign')!.value).toBe('T-20');
    expect(mail.headers.map(({ key: name }) => name)).toContain('list-unsubscribe');
    expect(
      mail.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()]),
    ).toEqual([['bill.pdf', 'Hello']]);
    expect(sent.envelope.to).toEqual(['ann@acme.test']);
  });

  it('needs a user, a channel with addresses, and permission to publish and to trigger', async () => {
    const { key, event } = await organization();
    const test = async (body: object, as = key) => {
      const answer = await app
        .as(as)
        .post(`${event()}preview/test/`)
        .send({ subject: 'a', text: 'a', ...body });
      return [answer.status, Object.keys((answer.body as { errors?: object }).errors ?? {})];
    };
    const user = 'ann@acme.test';
    expect(await test({ channel: 'mail' })).toEqual([400, ['user']]);
    expect(await test({ user })).toEqual([400, ['channel']]);
    expect(await test({ user, channel: 'inbox' })).toEqual([400, ['channel']]);
    expect(await test({ user: 'eve@acme.test', channel: 'mail' })).toEqual([400, ['user']]);
    const attachments = [{ filename: 'a.pdf' }];
    expect(await test({ user, channel: 'mail', attachments })).toEqual([400, ['attachments']]);
    const [, , , org] = event().split('/');
    const needed = ['notification:write', 'event:trigger', 'user:read'] as const;
    for (const without of needed) {
      const permissions = needed.filter((each) => each !== without);
      expect(await test({ user, channel: 'mail' }, await app.key({ org: org!, permissions }))).toEqual([403, []]);
    }
    const suppression = { name: 'email', value: user, cause: 'manual' };
    const { body: made } = await app.as(key).post(`/api/o/${org}/suppressions/`).send(suppression).expect(200);
    expect(await test({ user, channel: 'mail' })).toEqual([400, ['user']]);
    await app
      .as(key)
      .delete(`/api/o/${org}/suppressions/${(made as { id: number }).id}/`)
      .expect(204);
    expect(await test({ user, channel: 'mail' })).toEqual([200, []]);
    for (const path of [`/api/o/${org}/c/mail/`, event()]) {
      await app.as(key).patch(path).send({ enabled: false }).expect(200);
      expect(await test({ user, channel: 'mail' })).toEqual([409, []]);
      await app.as(key).patch(path).send({ enabled: true }).expect(200);
    }
    await app.as(key).patch(`/api/o/${org}/u/${user}/`).send({ locked: true }).expect(200);
    expect(await test({ user, channel: 'mail' })).toEqual([400, ['user']]);
  });
});
