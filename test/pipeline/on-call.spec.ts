import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { root } from '../../src/platform/config/root.js';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp, useSink } from '../support/app/use.js';
import { FakeFcm, SERVICE_ACCOUNT } from '../support/providers/fcm.js';
import { FakeTwilio } from '../support/providers/twilio.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { openSteps, passMinutes, quiet } from '../support/world/steps.js';

const PUBLIC_URL = 'https://notify.test';
const TWILIO = { sid: `AC${'0'.repeat(32)}`, token: 'secret' };
const API = '/api/o/acme-operations';

let app: TestApp;
let key: string;
let fcm: FakeFcm;
let twilio: FakeTwilio;
let mails: SmtpSink;
useApp({ ROLE: 'all', PUBLIC_URL }, (started) => (app = started));
useSink(
  () => FakeFcm.start(),
  (started) => (fcm = started),
);
useSink(
  () => FakeTwilio.start(TWILIO),
  (started) => (twilio = started),
);
useSink(
  () => SmtpSink.start(),
  (started) => (mails = started),
);

/** Google and Twilio are on this machine. */
beforeAll(() => {
  const outbound = app.app.get(Outbound);
  const post = outbound.post.bind(outbound);
  const here = (url: string) =>
    url
      .replace(/^https:\/\/(oauth2|fcm)\.googleapis\.com/, fcm.origin)
      .replace('https://api.twilio.com', twilio.origin);
  outbound.post = (url, options) => post(here(url), options);
});

/** The example as it is, but for the port of its mail catcher, with Ann's phone. */
beforeEach(async () => {
  await app.empty();
  const file = readFileSync(join(root, 'examples/on-call/carillon.yaml'), 'utf8').replace('1025', String(mails.port));
  const keys = {
    FCM_SERVICE_ACCOUNT: SERVICE_ACCOUNT,
    TWILIO_ACCOUNT_SID: TWILIO.sid,
    TWILIO_AUTH_TOKEN: TWILIO.token,
  };
  const applied = await cli(['apply', 'FILE'], { DATABASE_URL: app.databaseUrl, ...keys }, file);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  key = await app.key({ org: 'acme-operations' });
  const device = `${API}/u/ann@acme.test/devices/com.acme.operations/phone-1/`;
  expect(
    (
      await app
        .as(key)
        .put(device)
        .send({ platform: 'android', fcm: { token: 'ann:1' } })
    ).status,
  ).toBe(200);
  twilio.lines.set('+15550123', 'mobile');
});

async function say(event: string, incident: string): Promise<string> {
  const { status, body } = await app
    .as(key)
    .post(`${API}/p/operations/a/monitoring/e/${event}/trigger/`)
    .send({ context: { incident, what: 'The shop' } });
  expect(status).toBe(201);
  const { occurrence } = body as { occurrence: string };
  await quiet(app.pool, occurrence);
  return occurrence;
}

const pushes = () =>
  fcm.shown.map(({ token, notification }) => `${token}: ${notification?.title} ${notification?.body}`);
const texts = () => twilio.sent.map(({ To, Body }) => `${To}: ${Body}`);
const mailed = async () => Promise.all(mails.mails.map(({ raw }) => PostalMime.parse(raw)));

it('an incident goes from a push message to a mail to the SMS of the manager, until the manager acknowledges it with the link', async () => {
  const incident = await say('incident', 'INC-42');
  expect(pushes()).toEqual(['ann:1: The shop is down INC-42']);
  await passMinutes(app, incident, 4);
  expect(mails.mails).toHaveLength(0);
  await passMinutes(app, incident, 1);
  const sent = await mailed();
  expect(new Set(sent.map(({ to }) => to![0]!.address))).toEqual(new Set(['ann@acme.test', 'bob@acme.test']));
  expect(sent[0]!.subject).toBe('INC-42: The shop is down');
  await passMinutes(app, incident, 14);
  expect(texts()).toEqual([]);
  await passMinutes(app, incident, 1);
  expect(texts()).toEqual([expect.stringMatching(/^\+15550123: INC-42: The shop is down since \d\d:\d\d\. I take/)]);
  await passMinutes(app, incident, 15);
  expect(texts().at(-1)).toContain(' (reminder 1). I take');
  const link = /https:\/\/notify\.test(\/a\/\S+)/.exec(texts().at(-1)!)![1]!;
  expect((await app.as().get(link)).text).toContain('<button>');
  await passMinutes(app, incident, 15);
  expect(texts()).toHaveLength(3); // the page alone acknowledges nothing
  expect((await app.as().post(link).type('form').send({ note: 'On my way' })).status).toBe(200);
  await passMinutes(app, incident, 60);
  expect(texts()).toHaveLength(3);
  const { body } = await app.as(key).get(`${API}/occurrences/${incident}/`);
  expect(body).toMatchObject({
    acknowledgements: [{ user: 'mia@acme.test', way: 'link', note: 'On my way', step: 3 }],
  });
  await say('incident-over', 'INC-42');
  expect([pushes().at(-1), texts().at(-1)]).toEqual([
    'ann:1: The shop works again INC-42',
    '+15550123: INC-42: The shop works again.',
  ]);
});

it('an incident that is over ends its own steps and no others, and whoever was told hears of it', async () => {
  const [over, open] = [await say('incident', 'INC-42'), await say('incident', 'INC-43')];
  for (const incident of [over, open]) await passMinutes(app, incident, 5);
  expect(mails.mails).toHaveLength(4);
  await say('incident-over', 'INC-42');
  expect(pushes().at(-1)).toBe('ann:1: The shop works again INC-42');
  for (const incident of [over, open]) await passMinutes(app, incident, 15);
  expect(texts()).toEqual([expect.stringContaining('INC-43')]);
  expect(await openSteps(app, over)).toBeNull();
});
