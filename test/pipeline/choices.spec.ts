import { describe, expect, it } from '@jest/globals';
import type { CategoryDefault, SuppressionCause } from '../../src/platform/database/generated/prisma/enums.js';
import { decide } from '../../src/api/preference/precedence.js';
import type { Choice } from '../../src/api/preference/precedence.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail, travelToNextAttempt } from '../support/world/tenant.js';

let app: TestApp;
let mails: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (mails = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const tenantOf = (people: string[]) =>
  Tenant.create(app, {
    channels: [mail('mail', mails.port)],
    users: people.map((email) => ({ email })),
    lists: [{ name: 'Staff', members: people }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', subject: 'Hi', text: 'Hi' }] },
    ],
  });

/** Gives the tenant's event a category, or changes it. */
async function setCategory({ org }: Tenant, byDefault: string, channels: object = {}): Promise<void> {
  await app.pool.query(
    `with place as (
       select e.id event, e.organization_id, a.project_id from events e join applications a on a.id = e.application_id
       join organizations o on o.id = e.organization_id where o.slug = $1
     ), category as (
       insert into categories (organization_id, project_id, slug, name, "default", channels)
       select organization_id, project_id, 'news', 'News', $2::text::category_default, $3 from place
       on conflict (project_id, slug) do update set "default" = excluded."default", channels = excluded.channels
       returning id
     )
     update events e set category_id = category.id from category, place where e.id = place.event`,
    [org, byDefault, channels],
  );
}

interface Wish {
  user: string;
  about: 'everything' | 'category' | 'event';
  channel?: string;
  on: boolean;
}

const choose = ({ org }: Tenant, choices: Wish[]) =>
  app.pool.query(
    `insert into preferences (organization_id, user_id, category_id, event_id, channel_type, is_on, chosen_by)
     select u.organization_id, u.id, case c.about when 'category' then e.category_id end, case c.about when 'event' then e.id end,
            coalesce(c.channel, ''), c."on", 'person'
     from jsonb_to_recordset($2::jsonb) c("user" text, about text, channel text, "on" bool)
     join organizations o on o.slug = $1 join users u on u.organization_id = o.id and u.email = c."user"
     join events e on e.organization_id = o.id`,
    [org, JSON.stringify(choices)],
  );

const suppress = ({ org }: Tenant, addresses: { value: string; cause: string }[]) =>
  app.pool.query(
    `insert into suppressions (organization_id, name, value, value_key, cause)
     select o.id, 'email', s.value, lower(s.value), s.cause::suppression_cause
     from jsonb_to_recordset($2::jsonb) s(value text, cause text) join organizations o on o.slug = $1`,
    [org, JSON.stringify(addresses)],
  );

const gates = async (tenant: Tenant, occurrence: string) =>
  Object.fromEntries((await tenant.settled(occurrence)).map(({ user, gate, status }) => [user, gate ?? status]));

describe('who is sent a message of a category', () => {
  const ANSWERS = [undefined, true, false];
  const CAUSES = [undefined, 'hard_bounce', 'complaint', 'stop', 'manual'];

  interface Person {
    email: string;
    /** Everything over mail, the category, the category over mail, the event, the event over mail. */
    choices: (boolean | undefined)[];
    cause: string | undefined;
  }

  /** Written without a look at the service: the rules of docs/preferences.md one by one. */
  function naive({ choices, cause }: Person, byDefault: string, overMail: string | undefined): string {
    const [everything, category, categoryOverMail, event, eventOverMail] = choices;
    if (cause !== undefined && cause !== 'complaint') return 'suppressed';
    if (byDefault === 'required') return 'sent';
    if (cause === 'complaint') return 'suppressed';
    if (everything === false) return 'opted_out';
    for (const answer of [eventOverMail, event, categoryOverMail, category])
      if (answer !== undefined) return answer ? 'sent' : 'opted_out';
    if (overMail !== undefined) return overMail === 'on' ? 'sent' : 'opted_out';
    return byDefault === 'on' ? 'sent' : 'opted_out';
  }

  function inMatrix({ choices, cause }: Person, byDefault: string, overMail: string | undefined): string {
    const chosen = (isOn: boolean | undefined): Choice | undefined =>
      isOn === undefined ? undefined : { isOn, chosenAt: new Date(), chosenBy: 'person' };
    const [master, category, categoryOverMail, event, eventOverMail] = choices.map(chosen);
    const { on, source } = decide({
      suppressedBy: cause === undefined ? [] : [cause as SuppressionCause],
      category: { default: byDefault as CategoryDefault, ofChannel: overMail as 'on' | 'off' | undefined },
      master,
      choices: { event_channel: eventOverMail, event, category_channel: categoryOverMail, category },
    });
    return on ? 'sent' : source === 'suppressed' ? 'suppressed' : 'opted_out';
  }

  const PEOPLE: Person[] = CAUSES.flatMap((cause) =>
    ANSWERS.flatMap((a) =>
      ANSWERS.flatMap((b) =>
        ANSWERS.flatMap((c) => ANSWERS.flatMap((d) => ANSWERS.map((e) => ({ choices: [a, b, c, d, e], cause })))),
      ),
    ),
  ).map((person, n) => ({ ...person, email: `p${n}@acme.test` }));

  it('follows the order of precedence in every combination of default, choices and suppression', async () => {
    const tenant = await tenantOf(PEOPLE.map(({ email }) => email));
    await setCategory(tenant, 'on');
    const abouts = ['everything', 'category', 'category', 'event', 'event'] as const;
    const channels = ['email', undefined, 'email', undefined, 'email'];
    await choose(
      tenant,
      PEOPLE.flatMap(({ email: user, choices }) =>
        choices.flatMap((on, i) => (on === undefined ? [] : [{ user, about: abouts[i]!, channel: channels[i], on }])),
      ),
    );
    // Another case than the user's address has: an address is suppressed however it is written.
    const suppressed = PEOPLE.filter(({ cause }) => cause !== undefined);
    await suppress(
      tenant,
      suppressed.map(({ email, cause }) => ({ value: email.toUpperCase(), cause: cause! })),
    );
    for (const byDefault of ['on', 'off', 'required'])
      for (const overMail of [undefined, 'on', 'off']) {
        await setCategory(tenant, byDefault, { sms: 'on', ...(overMail && { email: overMail }) });
        // Whoever would be sent the message is too late for it: ten thousand mails need not be sent.
        const found = await gates(tenant, await tenant.triggerExpired());
        const expected = PEOPLE.map((person) => [
          person.email,
          naive(person, byDefault, overMail).replace('sent', 'expired'),
        ]);
        expect(found).toEqual(Object.fromEntries(expected));
        // The matrix of preferences says the same.
        for (const person of PEOPLE)
          expect([person, inMatrix(person, byDefault, overMail)]).toEqual([person, naive(person, byDefault, overMail)]);
      }
  });

  it('is not asked of anybody when the event has no category, but addresses stay suppressed', async () => {
    const tenant = await tenantOf([ANN, BOB]);
    await choose(tenant, [{ user: ANN, about: 'everything', channel: 'email', on: false }]);
    await suppress(tenant, [{ value: BOB, cause: 'complaint' }]);
    expect(await gates(tenant, await tenant.trigger())).toEqual({ [ANN]: 'sent', [BOB]: 'suppressed' });
    await app.pool.query(`update suppressions set expires_at = now()`);
    expect(await gates(tenant, await tenant.trigger())).toEqual({ [ANN]: 'sent', [BOB]: 'sent' });
  });
});

it('a person who opts out, and an address that is suppressed, while a retry waits are spared', async () => {
  const tenant = await tenantOf([ANN, BOB, 'eve@acme.test']);
  await setCategory(tenant, 'on');
  await choose(tenant, [{ user: 'eve@acme.test', about: 'event', on: true }]);
  mails.reply.rcpt = () => ({ code: 451, text: 'later' });
  const occurrence = await tenant.trigger();
  await tenant.tried(occurrence, 1);
  await choose(tenant, [{ user: ANN, about: 'category', channel: 'email', on: false }]);
  await suppress(tenant, [{ value: BOB, cause: 'manual' }]);
  mails.reply = {};
  await travelToNextAttempt(app);
  expect(await gates(tenant, occurrence)).toEqual({ [ANN]: 'opted_out', [BOB]: 'suppressed', 'eve@acme.test': 'sent' });
  expect(mails.mails.flatMap(({ envelope }) => envelope.to)).toEqual(['eve@acme.test']);
});

describe('explain says why', () => {
  const sentence = async (tenant: Tenant, occurrence: string, user = ANN) => {
    await tenant.settled(occurrence);
    const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
    const { body } = await app.as(tenant.key).get(path).query({ user });
    const { rules } = body as { rules: { channels: { gate: string; sentence: string; evidence: object }[] }[] };
    const { sentence: text, gate, evidence } = rules[0]!.channels[0]!;
    return { text: text.replace(/\d{4}-[\dT:-]+Z/g, '<time>'), gate, evidence };
  };

  it.each<[string, string, Omit<Wish, 'user'> | null, string]>([
    ['a default', 'off', null, 'the category "News" is off unless the user switches it on'],
    [
      'a choice about the category',
      'on',
      { about: 'category', on: false },
      'the user switched off the category "News" at <time> on the preference page',
    ],
    [
      'a choice about the event over a channel',
      'on',
      { about: 'event', channel: 'email', on: false },
      'the user switched off the event "Order paid" over email at <time> on the preference page',
    ],
    [
      'a choice about everything over a channel',
      'on',
      { about: 'everything', channel: 'email', on: false },
      'the user switched off everything over email at <time> on the preference page',
    ],
  ])('a person did not want a message: %s', async (_, byDefault, choice, why) => {
    const tenant = await tenantOf([ANN]);
    await setCategory(tenant, byDefault);
    if (choice) await choose(tenant, [{ user: ANN, ...choice }]);
    expect(await sentence(tenant, await tenant.trigger())).toMatchObject({
      text: `${ANN} was not sent "Tell" over mail, because ${why}.`,
      gate: 'opted_out',
    });
  });

  it('a person did not want a message, and would get it now', async () => {
    const tenant = await tenantOf([ANN]);
    await setCategory(tenant, 'off');
    const occurrence = await tenant.trigger();
    await tenant.settled(occurrence);
    await choose(tenant, [{ user: ANN, about: 'category', on: true }]);
    expect(await sentence(tenant, occurrence)).toMatchObject({
      text: `${ANN} was not sent "Tell" over mail, because the category "News" is off unless the user switches it on; the user would get it now.`,
      evidence: { category: 'news', default: 'off', default_of: 'category', holds_now: false },
    });
  });

  it('the default of the category over a channel type kept a message back, and not that of the category', async () => {
    const tenant = await tenantOf([ANN]);
    await setCategory(tenant, 'on', { email: 'off' });
    expect(await sentence(tenant, await tenant.trigger())).toMatchObject({
      text: `${ANN} was not sent "Tell" over mail, because the category "News" over email is off unless the user switches it on.`,
      gate: 'opted_out',
      evidence: { default: 'on', channels: { email: 'off' }, default_of: 'channel' },
    });
  });

  it.each<[string, Partial<Wish> | null]>([
    ['its expansion', null],
    ['a retry', { about: 'event' }],
  ])('the choice that decided at %s, and no later one', async (_, atRetry) => {
    const tenant = await tenantOf([ANN]);
    await setCategory(tenant, 'on');
    const wish = { user: ANN, about: 'event', channel: 'email', on: false } as const;
    if (atRetry) mails.reply.rcpt = () => ({ code: 451, text: 'later' });
    else await choose(tenant, [wish]);
    const occurrence = await tenant.trigger();
    if (atRetry) {
      await tenant.tried(occurrence, 1);
      await choose(tenant, [wish]);
      mails.reply = {};
      await travelToNextAttempt(app);
    }
    await tenant.settled(occurrence);
    await app.pool.query('delete from preferences');
    await choose(tenant, [{ user: ANN, about: 'category', on: false }]);
    await suppress(tenant, [{ value: ANN, cause: 'manual' }]);
    const why = 'the user switched off the event "Order paid" over email at <time> on the preference page';
    expect(await sentence(tenant, occurrence)).toMatchObject({
      text: `${ANN} was not sent "Tell" over mail, because ${why}.`,
      evidence: { choice: { about: 'event', channel: 'email' } },
    });
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${ANN}/deliveries/`);
    const [listed] = body as { sentence: string }[];
    expect(listed!.sentence.replace(/\d{4}-[\dT:-]+Z/g, '<time>')).toContain(why);
  });

  it('the suppression that decided, although it was lifted and made again', async () => {
    const tenant = await tenantOf([ANN]);
    await suppress(tenant, [{ value: ANN, cause: 'stop' }]);
    const occurrence = await tenant.trigger();
    await tenant.settled(occurrence);
    await app.pool.query('delete from suppressions');
    expect(await sentence(tenant, occurrence)).toMatchObject({
      text: expect.stringContaining(`<time>: its owner has answered STOP; it may be used now.`),
      evidence: { cause: 'stop', holds_now: false },
    });
    await suppress(tenant, [{ value: ANN, cause: 'manual' }]);
    expect(await sentence(tenant, occurrence)).toMatchObject({ evidence: { cause: 'stop', holds_now: true } });
  });

  it('nothing is stored with a message that was sent', async () => {
    const tenant = await tenantOf([ANN, BOB]);
    await setCategory(tenant, 'on');
    await choose(tenant, [{ user: BOB, about: 'event', on: false }]);
    const occurrence = await tenant.trigger();
    await tenant.settled(occurrence);
    const sql =
      'select gate, evidence is null "isBare" from deliveries where occurrence_id = $1 order by gate nulls first';
    expect((await app.pool.query(sql, [occurrence])).rows).toEqual([
      { gate: null, isBare: true },
      { gate: 'opted_out', isBare: false },
    ]);
  });

  it.each([
    ['hard_bounce', 'its provider says that it does not exist'],
    ['complaint', 'its owner has reported a message as spam'],
    ['stop', 'its owner has answered STOP'],
    ['manual', 'it was suppressed by hand'],
  ])('an address was not used: %s', async (cause, words) => {
    const tenant = await tenantOf([ANN]);
    await suppress(tenant, [{ value: ANN, cause }]);
    expect(await sentence(tenant, await tenant.trigger())).toMatchObject({
      text: `${ANN} was not sent "Tell" over mail, because the address ${ANN} has been suppressed since <time>: ${words}.`,
      gate: 'suppressed',
      evidence: { cause },
    });
  });
});
