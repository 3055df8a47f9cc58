import { beforeEach, describe, expect, it } from '@jest/globals';
import { Purge } from '../../src/engine/purge/purge.js';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
let tenant: Tenant;
useApp({ ROLE: 'all', PUBLIC_URL: 'https://notify.test' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const rule = (more: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  thread: 'incident.id',
  templates: [{ channel: 'box', text: 'Mute: {{ mute_url }}.' }],
  ...more,
});

async function create(more: Partial<NotificationEntry> = {}, category: string | null = 'on'): Promise<Tenant> {
  tenant = await Tenant.create(app, {
    channels: [inbox('box'), inbox('later')],
    users: [{ email: ANN }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [rule(more)],
  });
  if (category) await setCategory(category);
  return tenant;
}

beforeEach(() => create());

const as = () => app.as(tenant.key);

async function setCategory(preset: string): Promise<void> {
  const project = `/api/o/${tenant.org}/p/shop/`;
  await as().post(`${project}categories/`).send({ slug: 'news', name: 'News', default: preset }).expect(201);
  await as().patch(`${project}a/web/e/order-paid/`).send({ category: 'news' }).expect(200);
}

const preferences = (user = ANN) => `/api/o/${tenant.org}/u/${user}/preferences/`;
const THREAD = { application: 'shop/web', thread: 'incident.id', value: 'a' };
const change = (...threads: unknown[]) => as().patch(preferences()).send({ muted_threads: threads });
const mute = (value: string) => change({ ...THREAD, value }).expect(200);
const listed = async () => {
  const { body } = await as().get(preferences());
  return (body as { muted_threads: { value: string }[] }).muted_threads;
};

/** What became of the message to each user. */
async function told(id: unknown, options: object = {}): Promise<string[]> {
  const rows = await tenant.triggerAndSettle({ incident: { id } }, options);
  return rows.map(({ user, status, gate }) => `${user?.split('@')[0]} ${gate ?? status}`);
}

const SENT = ['ann sent', 'bob sent'];
const MUTED = ['ann muted', 'bob sent'];

describe('a muted thread', () => {
  it('keeps back messages about it, to its user, in its application, until it ends', async () => {
    expect(await told('a')).toEqual(SENT);
    await mute('a');
    await mute('7');
    expect(await told('a')).toEqual(MUTED);
    expect(await told(7)).toEqual(MUTED);
    expect(await told('b')).toEqual(SENT);
    expect(await told(undefined)).toEqual(SENT);
    await change({ ...THREAD, thread: 'host', value: 'b' }).expect(200);
    expect(await told('b')).toEqual(SENT);
    await change({ ...THREAD, muted: false }).expect(200);
    expect(await told('a')).toEqual(SENT);
    await app.pool.query(`update muted_threads set ends_at = now() where value = '7'`);
    expect(await told(7)).toEqual(SENT);
  });

  it('is explained, simulated, and holds for critical triggers as other choices do', async () => {
    await mute('a');
    expect(await told('a', { priority: 'critical' })).toEqual(MUTED);
    const id = await tenant.trigger({ incident: { id: 'a' } });
    await tenant.settled(id);
    const { body } = await as().get(`/api/o/${tenant.org}/occurrences/${id}/explain/`).query({ user: ANN });
    expect((body as { rules: { channels: object[] }[] }).rules[0]!.channels[0]).toMatchObject({
      gate: 'muted',
      sentence: expect.stringMatching(
        /was not sent "Tell" over box, because the user muted this thread, incident.id a, at \S+Z through the API, until \S+Z/,
      ),
      evidence: { thread: 'incident.id', value: 'a', chosen_by: 'key', holds_now: true },
    });
    const simulate = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const simulated = await as()
      .post(simulate)
      .send({ context: { incident: { id: 'a' } } });
    expect(simulated.body).toMatchObject({ totals: { messages: 1, gates: { muted: 1 } } });
  });

  it.each([
    ['of a required category', 'required'],
    ['without a category', null],
  ])('does not keep back messages %s: nobody can refuse them', async (_, category) => {
    await create({}, category);
    await mute('a');
    expect(await told('a')).toEqual(SENT);
  });

  it('keeps back a later step, and a message that waits', async () => {
    await create({
      steps: [{ channels: ['box'] }, { after: '10m', channels: ['later'] }],
      templates: ['box', 'later'].map((channel) => ({ channel, text: 'Hi' })),
    });
    const id = await tenant.trigger({ incident: { id: 'a' } });
    await quiet(app.pool, id);
    await mute('a');
    await passMinutes(app, id, 10);
    const rows = (await tenant.deliveries(id)).map(({ channel, user, gate, status }) => [
      channel,
      user,
      gate ?? status,
    ]);
    expect(rows).toEqual([
      ['box', ANN, 'sent'],
      ['box', BOB, 'sent'],
      ['later', ANN, 'muted'],
      ['later', BOB, 'sent'],
    ]);
  });
});

describe('the link of a message', () => {
  /** Of the message to ann. */
  async function linkIn(occurrence: string): Promise<string> {
    const { rows } = await app.pool.query<{ text: string }>(
      `select m.text from messages m join deliveries d on d.id = m.delivery_id join users u on u.id = d.user_id
       where d.occurrence_id = $1 and u.email = $2`,
      [occurrence, ANN],
    );
    return /^Mute: (.*)\.$/.exec(rows[0]!.text)![1]!.replace('https://notify.test', '');
  }

  async function linkAbout(id: unknown): Promise<string> {
    const occurrence = await tenant.trigger({ incident: { id } });
    await tenant.settled(occurrence);
    return linkIn(occurrence);
  }

  const press = (link: string) => app.as().post(link).set('Accept-Language', 'en').type('form').send({});

  it('mutes when its button is pressed, and not when it is opened; another button takes it back', async () => {
    const link = await linkAbout('<a>');
    expect(link).toMatch(/^\/m\/[\w-]{44}$/);
    const page = await app.as().get(link).set('Accept-Language', 'en');
    expect([page.status, page.text.includes('<script')]).toEqual([200, false]);
    for (const text of ['Mute “&lt;a&gt;”', 'a•••@acme.test', '<button>Mute</button>'])
      expect(page.text).toContain(text);
    expect(await told('<a>')).toEqual(SENT);
    const done = await press(link);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('“&lt;a&gt;” is muted')]);
    expect(await listed()).toMatchObject([{ ...THREAD, value: '<a>', chosen_by: 'link' }]);
    expect(await told('<a>')).toEqual(MUTED);
    const [again, german] = [await press(link), await app.as().get(link).set('Accept-Language', 'de')];
    expect([again.text, german.text.includes('ist stummgeschaltet')]).toEqual([done.text, true]);
    const undone = await press(`${link}/undo`);
    expect(undone.text).toContain('You get messages about “&lt;a&gt;” again.');
    expect(await told('<a>')).toEqual(SENT);
    const { rows } = await app.pool.query(`select verb from audit_entries where actor = 'mute link' order by id`);
    expect(rows).toEqual([{ verb: 'create' }, { verb: 'delete' }]);
  });

  it('is missing where there is nothing to mute, and does not work if it is wrong or can be refused no more', async () => {
    expect(await linkAbout(undefined)).toBe('');
    expect(await linkAbout('x'.repeat(201))).toBe('');
    const link = await linkAbout('a');
    await as().patch(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`).send({ category: null }).expect(200);
    expect(await linkAbout('a')).toBe('');
    expect([(await app.as().get(link)).status, (await press(link)).status]).toEqual([404, 404]);
    expect((await press(link.replace(/.$/, link.endsWith('A') ? 'B' : 'A'))).status).toBe(404);
    expect(await listed()).toEqual([]);
  });
});

describe('to mute', () => {
  it('is a change of preferences, which shows what is muted; a user with a token does it, too', async () => {
    const { body } = await as()
      .post(`/api/o/${tenant.org}/u/${ANN}/token/`)
      .send({ scopes: ['preferences'] });
    const own = { Authorization: `Bearer ${(body as { token: string }).token}` };
    const answer = await app
      .as()
      .patch(preferences())
      .set(own)
      .send({ muted_threads: [THREAD] });
    const shown = { ...THREAD, chosen_at: expect.any(String), chosen_by: 'person', ends_at: expect.any(String) };
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ muted_threads: [shown] })]);
    expect(await listed()).toEqual([shown]);
    const { rows } = await app.pool.query<{ days: number }>(
      `select round(extract(epoch from ends_at - chosen_at) / 86400)::int days from muted_threads where chosen_by = 'person'`,
    );
    expect(rows).toEqual([{ days: 90 }]);
    const page = `/u/${(body as { token: string }).token}/preferences`;
    const seen = await app.as().get(page).set('Accept-Language', 'de');
    expect(seen.text).toContain('Stummgeschaltet');
    const id = /name="unmute" value="(\d+)"/.exec(seen.text)![1]!;
    const ended = await app.as().post(page).type('form').send({ unmute: id });
    expect([ended.status, ended.text]).toEqual([200, expect.stringContaining('You get messages about “a” again.')]);
    expect(await listed()).toEqual([]);
  });

  it('refuses what is wrong, with its place, and stores nothing then', async () => {
    const wrong = await change(THREAD, { ...THREAD, application: 'shop/other' }, 'a');
    expect([wrong.status, Object.keys((wrong.body as { errors: object }).errors)]).toEqual([400, ['muted_threads[2]']]);
    const { body } = await change(THREAD, { ...THREAD, application: 'shop/other' });
    expect(body).toMatchObject({ errors: { 'muted_threads[1].application': [expect.stringContaining('shop/web')] } });
    const fields = await change({ application: 7, value: 'x'.repeat(201), muted: 'yes', field: 'a' });
    expect(Object.keys((fields.body as { errors: object }).errors).toSorted()).toEqual(
      ['application', 'field', 'muted', 'thread', 'value'].map((name) => `muted_threads[0].${name}`),
    );
    expect(await listed()).toEqual([]);
  });

  it('ends the oldest of more than 200, and long ago ones are purged', async () => {
    await mute('first');
    await app.pool.query(`update muted_threads set chosen_at = now() - interval '1 day' where value = 'first'`);
    await change(...Array.from({ length: 200 }, (_, i) => ({ ...THREAD, value: `v${i}` }))).expect(200);
    const values = (await listed()).map(({ value }) => value);
    expect([values.length, values.includes('first')]).toEqual([200, false]);
    await app.pool.query(`update muted_threads set ends_at = now()`);
    await app.app.get(Purge).run();
    expect((await app.pool.query('select from muted_threads')).rowCount).toBe(0);
  });

  it('is part of the export of a user, and forgotten with them', async () => {
    await mute('a');
    const answer = await as()
      .get(`/api/o/${tenant.org}/u/${ANN}/export/`)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk));
        response.on('end', () => done(null, text));
      });
    const lines = (answer.body as string).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ kind: 'muted_thread', application: 'web', thread: 'incident.id', value: 'a' }),
    );
    await as().delete(`/api/o/${tenant.org}/u/${ANN}/`).expect(204);
    expect((await app.pool.query(`select from muted_threads where value = 'a'`)).rowCount).toBe(0);
  });
});
