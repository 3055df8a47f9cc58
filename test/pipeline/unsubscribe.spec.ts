import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { CarillonLogger } from '../../src/platform/config/log.js';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { giveCategory } from '../support/world/category.js';
import { Tenant, inbox, mail } from '../support/world/tenant.js';

const PUBLIC_URL = 'https://notify.test/hooks';
const OLD_KEY = Buffer.alloc(32, 3);

let app: TestApp;
let sink: SmtpSink;
const env = { ROLE: 'all', PUBLIC_URL, SECRET_KEY_PREVIOUS: OLD_KEY.toString('base64') };
useApp(env, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

const ANN = 'ann@acme.test';

const TEXT = 'Hi {{ user.first_name }}: {{ unsubscribe_url }} {{ preferences_url }}';

async function tenantOf(byDefault: string | null = 'on', channels: object = {}): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [mail('mail', sink.port), inbox('app')],
    users: [{ email: ANN, first_name: 'Ann' }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff' },
        templates: [
          { channel: 'mail', subject: 'News', text: TEXT },
          { channel: 'app', text: 'Hi' },
        ],
      },
    ],
  });
  if (byDefault !== null) await giveCategory(app.pool, tenant.org, byDefault, channels);
  return tenant;
}

/** The parts of the token of the tenant's person and category. */
async function ownerOf({ org }: Tenant) {
  const { rows } = await app.pool.query<{ organizationId: number; userId: number; categoryId: number }>(
    `select o.id "organizationId", u.id "userId", c.id "categoryId" from organizations o
     join users u on u.organization_id = o.id join categories c on c.organization_id = o.id where o.slug = $1`,
    [org],
  );
  return rows[0]!;
}

const tokenOf = async (tenant: Tenant) => app.app.get(UnsubscribeTokens).sign(await ownerOf(tenant));
const linkOf = async (tenant: Tenant) => `/u/${await tokenOf(tenant)}`;

const CHOICES = `
  select e.slug event, c.slug category, p.channel_type "type", p.is_on "isOn", p.chosen_by "by"
  from preferences p left join events e on e.id = p.event_id left join categories c on c.id = p.category_id
  join organizations o on o.id = p.organization_id where o.slug = $1 order by p.event_id nulls first, p.channel_type`;

const choicesOf = async ({ org }: Tenant) => (await app.pool.query(CHOICES, [org])).rows as object[];

const MAIL_IS_OFF = { event: null, category: 'news', type: 'email', isOn: false, by: 'link' };

const audited = async (tenant: Tenant) =>
  ((await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/`)).body as { noun: string; verb: string }[]).filter(
    ({ noun }) => noun === 'preference',
  );

describe('a mail of a category', () => {
  const received = async (tenant: Tenant) => {
    const occurrence = await tenant.trigger();
    await tenant.settled(occurrence);
    const { headers, text } = await PostalMime.parse(sink.mails.at(-1)!.raw);
    const header = (name: string) => headers.find(({ key }) => key === name)?.value;
    return { header, text: text! };
  };

  it('unsubscribes with one click, as its headers say, and no other mail follows', async () => {
    const tenant = await tenantOf();
    const { header, text } = await received(tenant);
    const url = /^<(https:\/\/notify\.test\/hooks(\/u\/[\w-]{44}))>$/.exec(header('list-unsubscribe')!)!;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('list-id')).toBe(`"News & offers" <news.shop.${tenant.org}.notify.test>`);
    expect(text.trim()).toBe(`Hi Ann: ${url[1]} ${url[1]}/preferences`);
    // A proxy serves the service below /hooks.
    expect((await app.as().post(url[2]!).type('form').send('List-Unsubscribe=One-Click')).status).toBe(200);
    const again = await tenant.settled(await tenant.trigger());
    expect(again.map(({ channel, gate, status }) => [channel, gate ?? status])).toEqual([
      ['app', 'sent'],
      ['mail', 'opted_out'],
    ]);
    expect(sink.mails).toHaveLength(1);
  });

  it.each([['required'], [null]])('that is %s has no such header, and a link to all choices', async (byDefault) => {
    const { header, text } = await received(await tenantOf(byDefault));
    expect(['list-unsubscribe', 'list-unsubscribe-post', 'list-id'].map(header)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const [, path] = /^Hi Ann: {2}https:\/\/notify\.test\/hooks(\/\S+)$/.exec(text.trim())!;
    const page = await app.as().get(path!);
    expect([page.status, page.text.includes('a•••@acme.test')]).toEqual([200, true]);
    // The link is not about a category that could be switched off.
    expect((await app.as().post(path!.replace('/preferences', ''))).status).toBe(404);
  });

  it('needs no field of the trigger for its links, and its preview shows no real ones', async () => {
    const tenant = await tenantOf();
    const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid`;
    expect((await app.as(tenant.key).get(`${event}/schema/`)).body).not.toHaveProperty('properties');
    const { body } = await app.as(tenant.key).post(`${event}/preview/`).send({ text: TEXT, user: ANN });
    expect(body).toMatchObject({
      text: `Hi Ann: ${PUBLIC_URL}/u/sample ${PUBLIC_URL}/u/sample/preferences`,
      ...{ missing: [], optional: [] },
    });
    const simulated = await app.as(tenant.key).post(`${event}/simulate/`).send({});
    expect(JSON.stringify(simulated.body)).toContain(`${PUBLIC_URL}/u/sample `);
  });
});

describe('an unsubscribe link', () => {
  it('changes nothing when a scanner, a prefetching browser or a person opens it', async () => {
    const tenant = await tenantOf();
    const link = await linkOf(tenant);
    const { status, text, headers } = await app.as().get(link).set('Accept-Language', 'it, de;q=0.9');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<html lang="it">');
    expect(text).toContain('News &amp; offers');
    expect(text).toContain('What is new in the shop');
    expect(text).toContain(`The ${tenant.org}`);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; /),
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect((await app.as().head(link)).status).toBe(200);
    expect((await app.as().get(`${link}/`).set('Sec-Purpose', 'prefetch')).status).toBe(200);
    expect((await app.as().get(`${link}/preferences`)).status).toBe(200);
    expect(await choicesOf(tenant)).toEqual([]);
    expect(await audited(tenant)).toEqual([]);
  });

  it('works with every body that a mail program sends, and twice is once', async () => {
    const link = await tenantOf().then(async (tenant) => ({ tenant, path: await linkOf(tenant) }));
    const send = () => app.as().post(link.path).redirects(0);
    const answers = [
      await send().type('form').send('List-Unsubscribe=One-Click'),
      await send().field('List-Unsubscribe', 'One-Click'),
      await send(),
      await send().type('text/plain').send('anything'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await choicesOf(link.tenant)).toEqual([MAIL_IS_OFF]);
    expect(await audited(link.tenant)).toMatchObject([
      { verb: 'create', name: `shop/news/email/${ANN}`, actor: 'unsubscribe link', key: null, address: null },
    ]);
  });

  it('stores one choice when it is clicked several times at once', async () => {
    const tenant = await tenantOf();
    const link = await linkOf(tenant);
    await Promise.all(Array.from({ length: 8 }, () => app.as().post(link)));
    expect(await choicesOf(tenant)).toEqual([MAIL_IS_OFF]);
    expect(await audited(tenant)).toMatchObject([{ verb: 'create' }]);
  });

  it('works for a user who has stored as many choices as the API allows', async () => {
    const tenant = await tenantOf();
    const { organizationId, userId } = await ownerOf(tenant);
    await app.pool.query(
      `insert into preferences (organization_id, user_id, channel_type, is_on, chosen_by)
       select $1, $2, 'type' || n, false, 'key' from generate_series(1, 1000) n`,
      [organizationId, userId],
    );
    expect((await app.as().post(await linkOf(tenant))).text).toContain('You are unsubscribed');
    expect(await choicesOf(tenant)).toContainEqual(MAIL_IS_OFF);
  });

  it('stores nothing about a category that nobody can refuse', async () => {
    const tenant = await tenantOf('required');
    expect((await app.as().post(await linkOf(tenant))).text).toContain('cannot be switched off');
    expect(await choicesOf(tenant)).toEqual([]);
  });

  it('leaves the choices of the user about events alone when it is undone', async () => {
    const tenant = await tenantOf('off');
    const { organizationId, userId } = await ownerOf(tenant);
    await app.pool.query(
      `insert into preferences (organization_id, user_id, event_id, channel_type, is_on, chosen_by)
       select $1, $2, id, 'email', false, 'person' from events where organization_id = $1`,
      [organizationId, userId],
    );
    const link = await linkOf(tenant);
    await app.as().post(link);
    await app.as().post(`${link}/undo`);
    expect(await choicesOf(tenant)).toEqual([
      { event: null, category: 'news', type: 'email', isOn: true, by: 'link' },
      { event: 'order-paid', category: null, type: 'email', isOn: false, by: 'person' },
    ]);
  });

  it('is stronger than what was chosen about single events, and its undo brings the mail back', async () => {
    const tenant = await tenantOf('off');
    const { organizationId, userId, categoryId } = await ownerOf(tenant);
    await app.pool.query(
      `insert into preferences (organization_id, user_id, category_id, event_id, channel_type, is_on, chosen_by)
       select $1, $2, null, id, '', true, 'person' from events where organization_id = $1
       union all values ($1::int, $2::int, $3::int, null::int, 'email', true, 'key'::chosen_by)`,
      [organizationId, userId, categoryId],
    );
    const link = await linkOf(tenant);
    const gate = async () =>
      (await tenant.settled(await tenant.trigger())).find(({ channel }) => channel === 'mail')?.gate ?? null;
    expect(await gate()).toBeNull();
    await app.as().post(link);
    expect(await gate()).toBe('opted_out');
    const undone = await app.as().post(`${link}/undo`);
    expect([undone.status, undone.text.includes('You are subscribed again')]).toEqual([200, true]);
    expect(await gate()).toBeNull();
    expect(await choicesOf(tenant)).toEqual([
      { event: null, category: 'news', type: 'email', isOn: true, by: 'link' },
      { event: 'order-paid', category: null, type: '', isOn: true, by: 'person' },
    ]);
  });

  it('undoes only what it has done', async () => {
    const tenant = await tenantOf('on');
    const link = await linkOf(tenant);
    await app.as().post(link);
    await app.as().post(`${link}/undo`);
    await app.as().post(`${link}/undo`);
    expect(await choicesOf(tenant)).toEqual([]);
    const { organizationId, userId, categoryId } = await ownerOf(tenant);
    const off = `insert into preferences (organization_id, user_id, category_id, channel_type, is_on, chosen_by)
      values ($1, $2, $3, 'email', false, 'person')`;
    await app.pool.query(off, [organizationId, userId, categoryId]);
    await app.as().post(link);
    await app.as().post(`${link}/undo`);
    expect(await choicesOf(tenant)).toEqual([{ ...MAIL_IS_OFF, by: 'person' }]);
    const { text } = await app.as().get(link);
    expect([text.includes('You are unsubscribed'), text.includes('<button')]).toEqual([true, false]);
  });

  it('that was signed with the previous key works', async () => {
    const tenant = await tenantOf();
    const old = new UnsubscribeTokens(OLD_KEY).sign(await ownerOf(tenant));
    expect((await app.as().post(`/u/${old}`)).status).toBe(200);
    expect(await choicesOf(tenant)).toEqual([MAIL_IS_OFF]);
  });

  it('that is wrong, or about something that is gone or foreign, gets the same page for all', async () => {
    const [tenant, other] = [await tenantOf(), await tenantOf()];
    const [owner, foreign] = [await ownerOf(tenant), await ownerOf(other)];
    const tokens = app.app.get(UnsubscribeTokens);
    const gone = await linkOf(tenant);
    const wrong = [
      ...[
        { ...owner, userId: foreign.userId },
        { ...owner, categoryId: foreign.categoryId },
      ].map((each) => tokens.sign(each)),
      new UnsubscribeTokens(Buffer.alloc(32, 9)).sign(owner),
      `${tokens.sign(owner).slice(0, -1)}!`,
      'x',
    ].map((token) => `/u/${token}`);
    const pages = [];
    for (const path of wrong)
      for (const page of [path, `${path}/preferences`, `${path}/undo`]) pages.push(await app.as().post(page));
    await app.pool.query(`update events set category_id = null where category_id = $1`, [owner.categoryId]);
    await app.pool.query('delete from categories where id = $1', [owner.categoryId]);
    pages.push(await app.as().post(gone), await app.as().get(gone));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([pages[0]!.status, pages[0]!.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect([...(await choicesOf(tenant)), ...(await choicesOf(other))]).toEqual([]);
  });

  it('that is tried too often, wrong or right, has to wait', async () => {
    const many = (count: number, path: string) => Promise.all(Array.from({ length: count }, () => app.as().post(path)));
    const wrong = await many(200, '/u/wrong');
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([404, 429]));
    const right = await many(60, await linkOf(await tenantOf()));
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const { headers } = right.find(({ status }) => status === 429)!;
    expect([headers['retry-after'], headers['content-type']]).toEqual([
      expect.stringMatching(/^[1-9]\d?$/),
      'text/html; charset=utf-8',
    ]);
  });

  it('takes no large body', async () => {
    const link = await linkOf(await tenantOf());
    const { status } = await app.as().post(link).type('form').send('a'.repeat(20_000));
    expect(status).toBe(413);
  });

  describe('in the log', () => {
    const { write } = process.stdout;
    let printed = '';
    beforeEach(() => {
      process.stdout.write = (chunk) => ((printed += String(chunk)), true);
      app.app.useLogger(new CarillonLogger({ logLevel: 'info', logFormat: 'json' }));
    });
    afterEach(() => {
      process.stdout.write = write;
      app.app.useLogger(new CarillonLogger({ logLevel: 'error', logFormat: 'json' }));
    });

    it('is shown without its token', async () => {
      const token = await tokenOf(await tenantOf());
      for (const path of [`/u/${token}`, `/U/${token}`, `/u/${token}/preferences`, `/u/${token}/x/y?${token}`])
        await app.as().get(path);
      await new Promise(setImmediate);
      expect(printed).toContain('"path":"/u/:token/preferences"');
      expect(printed).toContain('"path":"/u/:token/x/y"');
      expect(printed).not.toContain(token);
    });
  });
});

describe('the preference page', () => {
  const cells = (text: string) => [...text.matchAll(/name="cell" value="([^"]+)"/g)].map(([, cell]) => cell!);

  it('shows what the person may choose, and saves what was changed', async () => {
    const tenant = await tenantOf('on');
    const { categoryId } = await ownerOf(tenant);
    const path = `${await linkOf(tenant)}/preferences`;
    const page = await app.as().get(path);
    expect(cells(page.text)).toEqual([`${categoryId}.email`, `${categoryId}.inbox`, '0.email', '0.inbox']);
    const send = (on: string[], more: string) =>
      app
        .as()
        .post(path)
        .type('form')
        .send([...cells(page.text).map((cell) => `cell=${cell}`), ...on.map((cell) => `on=${cell}`), more].join('&'));
    const clock = 'zone=Europe/Rome&quiet=own&from1=22:00&to1=07:00&days1=sat&days1=sun';
    const saved = await send([`${categoryId}.inbox`, '0.email'], clock);
    expect(saved.status).toBe(200);
    for (const line of [
      'News &amp; offers, E-mail: off',
      'Everything, In the app: off',
      'Time zone: Europe/Rome',
      'Quiet hours: Sat, Sun 22:00–07:00',
    ])
      expect(saved.text).toContain(`<li>${line}</li>`);
    expect(await choicesOf(tenant)).toEqual([
      { ...MAIL_IS_OFF, by: 'person' },
      { event: null, category: null, type: 'inbox', isOn: false, by: 'person' },
    ]);
    const stored =
      'select time_zone, quiet_hours from users where organization_id = (select id from organizations where slug = $1)';
    const user = async () => (await app.pool.query<object>(stored, [tenant.org])).rows[0];
    const hours = [{ days: ['sat', 'sun'], from: '22:00', to: '07:00' }];
    expect(await user()).toEqual({ time_zone: 'Europe/Rome', quiet_hours: hours });
    const before = await audited(tenant);
    expect((await send([`${categoryId}.inbox`, '0.email'], clock)).text).toContain('Nothing was changed.');
    expect(await audited(tenant)).toEqual(before);
    const bad = await send([], 'zone=Nowhere&quiet=default');
    expect([bad.status, bad.text.includes('choose a time zone')]).toEqual([400, true]);
    // As over HTTP: an hour of the week must be free. Nothing of such a form is saved.
    const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => `days1=${day}`).join('&');
    const always = await send([], `zone=&quiet=own&from1=00:00&to1=23:59&${week}`);
    expect(always.status).toBe(400);
    expect(await audited(tenant)).toEqual(before);
    expect((await app.as().post(path)).text).toContain('Nothing was changed.');
    await send(cells(page.text), 'zone=&quiet=default');
    expect(await user()).toEqual({ time_zone: null, quiet_hours: null });
    expect((await choicesOf(tenant)).map((choice) => (choice as { isOn: boolean }).isOn)).toEqual([true, true]);
  });

  it('asks how often the messages of a category come where it allows a choice, without a script', async () => {
    const tenant = await tenantOf('on');
    const { categoryId } = await ownerOf(tenant);
    const path = `${await linkOf(tenant)}/preferences`;
    expect((await app.as().get(path)).text).not.toContain('<select name="frequency');
    const category = `/api/o/${tenant.org}/p/shop/categories/news/`;
    await app
      .as(tenant.key)
      .patch(category)
      .send({ frequencies: ['weekly'], digest_at: '08:30' });
    const selected = (text: string) =>
      /<option value="(\w+)" selected>/.exec(text.split('<select name="frequency')[1]!)?.[1];
    const page = await app.as().get(path).set('Accept-Language', 'it');
    expect(page.text).toContain('Una volta alla settimana, in un solo messaggio il lunedì alle 08:30</option>');
    expect(page.text).not.toContain('value="daily"');
    expect(selected(page.text)).toBe('at_once');
    const send = (frequency: string) => app.as().post(path).type('form').send(`frequency.${categoryId}=${frequency}`);
    const saved = await send('weekly');
    expect(saved.text).toContain('<li>News &amp; offers: Once a week, in one message on Monday at 08:30</li>');
    expect(selected(saved.text)).toBe('weekly');
    expect(await choicesOf(tenant)).toEqual([
      { event: null, category: 'news', type: 'frequency', isOn: true, by: 'person' },
    ]);
    expect((await send('daily')).text).toContain('Nothing was changed.');
    expect((await send('at_once')).text).toContain('<li>News &amp; offers: At once</li>');
    expect(await choicesOf(tenant)).toEqual([]);
  });

  it('has no switch for messages that are required, and speaks German', async () => {
    const path = `${await linkOf(await tenantOf('required'))}/preferences`;
    const { text } = await app.as().get(path).set('Accept-Language', 'de-AT');
    expect(cells(text)).toEqual([]);
    expect(text).toContain('Lässt sich nicht ausschalten');
    const about = (await app.as().post(path.replace('/preferences', ''))).text;
    expect([about.includes('cannot be switched off'), about.includes('<button')]).toEqual([true, false]);
    expect(text).toContain('<html lang="de">');
  });

  it('speaks the language of the organization if neither the user nor the browser has one, from right to left too', async () => {
    const tenant = await tenantOf('on');
    const link = await linkOf(tenant);
    await app.pool.query(`update organizations set locale = 'ar-EG' where slug = $1`, [tenant.org]);
    const { text } = await app.as().get(link);
    expect(text).toContain('<html lang="ar" dir="rtl">');
    const { text: unknown } = await app.as().get(link).set('Accept-Language', 'sv');
    expect(unknown).toContain('<html lang="ar" dir="rtl">');
    expect((await app.as().get(link).set('Accept-Language', 'fr')).text).toContain('<html lang="fr">');
    for (const any of ['*', 'sv, *;q=0.5'])
      expect((await app.as().get(link).set('Accept-Language', any)).text).toContain('<html lang="ar" dir="rtl">');
  });

  it('offers the choice of the language, and then speaks it', async () => {
    const tenant = await tenantOf('on');
    const page = `${await linkOf(tenant)}/preferences`;
    const { text } = await app.as().get(page);
    expect(text).toContain('<option value="" selected>');
    expect(text).toContain('<option value="ja">日本語</option>');
    const choose = (locale: string) => app.as().post(page).type('form').send({ zone: '', quiet: 'default', locale });
    const chosen = await choose('de');
    expect(chosen.text).toContain('<html lang="de">');
    expect(chosen.text).toContain('Sprache: Deutsch');
    const localeOf = async () =>
      (
        await app.pool.query(
          `select u.locale from users u join organizations o on o.id = u.organization_id where o.slug = $1`,
          [tenant.org],
        )
      ).rows[0];
    expect(await localeOf()).toEqual({ locale: 'de' });
    await choose('xx');
    expect(await localeOf()).toEqual({ locale: 'de' });
    await choose('');
    expect(await localeOf()).toEqual({ locale: null });
  });

  it('speaks the language of the user if it can, else that of the browser', async () => {
    const tenant = await tenantOf('on');
    const link = await linkOf(tenant);
    const languageOf = async (path: string, locale: string | null) => {
      const sql = 'update users u set locale = $2 from organizations o where o.id = u.organization_id and o.slug = $1';
      await app.pool.query(sql, [tenant.org, locale]);
      const { text } = await app.as().get(path).set('Accept-Language', 'de-AT');
      return /<html lang="(\w+)"/.exec(text)![1];
    };
    for (const path of [link, `${link}/preferences`]) {
      expect(await languageOf(path, null)).toBe('de');
      expect(await languageOf(path, 'it-CH')).toBe('it');
      expect(await languageOf(path, 'pl')).toBe('pl');
      expect(await languageOf(path, 'sv')).toBe('de');
      expect(await languageOf(path, 'en')).toBe('en');
    }
  });
});
