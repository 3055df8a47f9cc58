import { createHmac } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { DISPATCHERS } from '../../src/dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../src/dispatcher/dispatcher.js';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { builtInDispatcher } from '../../src/dispatcher/provider/built-in.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { FakeTwilio } from '../support/providers/twilio.js';
import { quiet } from '../support/world/steps.js';
import { Tenant, inbox } from '../support/world/tenant.js';

const PUBLIC_URL = 'https://notify.test/hooks';
const ACCOUNT = { sid: `AC${'0123456789abcdef'.repeat(2)}`, token: 'fedcba98765432100123456789abcdef' };
const PHONE = '+15550000001';

let app: TestApp;
let twilio: FakeTwilio;
useApp({ ROLE: 'all', PUBLIC_URL }, (started) => (app = started));
useSink(
  () => FakeTwilio.start(ACCOUNT),
  (started) => (twilio = started),
);
beforeEach(() => {
  const dispatchers: Map<string, Dispatcher> = app.app.get(DISPATCHERS);
  dispatchers.set('sms', builtInDispatcher('sms', app.app.get(Outbound), twilio.origin));
});

/** A request that Twilio has signed. */
function report(path: string, fields: Record<string, string>) {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = PUBLIC_URL + path + sorted.flat().join('');
  const signature = createHmac('sha1', ACCOUNT.token).update(signed).digest('base64');
  return app.as().post(path).set('X-Twilio-Signature', signature).type('form').send(fields);
}

it('a text message from a number tells Twilio where to report, and its report raises the delivery', async () => {
  twilio.lines.set(PHONE, 'mobile');
  const tenant = await Tenant.create(app, {
    channels: [
      {
        ...{ slug: 'text', name: 'Text', type: 'sms' },
        config: { account_sid: ACCOUNT.sid, auth_token: ACCOUNT.token, from: '+15550001111' },
      },
    ],
    users: [{ email: 'ann@acme.test', addresses: [{ name: 'phone', value: PHONE }] }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'text', text: 'Hi' }] }],
  });
  const [delivery] = await tenant.triggerAndSettle();
  expect(delivery).toMatchObject({ status: 'sent' });
  const path = `/reports/${tenant.org}/text`;
  const StatusCallback = `${PUBLIC_URL}${path}`;
  expect(twilio.sent).toEqual([{ To: PHONE, Body: 'Hi', From: '+15550001111', StatusCallback }]);

  const fields = { MessageSid: `SM${'a'.repeat(32)}`, MessageStatus: 'delivered', To: PHONE };
  const answer = await report(path, fields);
  expect(answer.status).toBe(200);
  const { rows } = await app.pool.query('select report from deliveries where id = $1', [delivery!.id]);
  expect(rows).toEqual([{ report: 'delivered' }]);
});

it('an answer acknowledges the only open message to its number, or the one whose code it has', async () => {
  twilio.lines.set(PHONE, 'mobile');
  const tenant = await Tenant.create(app, {
    channels: [
      {
        ...{ slug: 'text', name: 'Text', type: 'sms' },
        config: { account_sid: ACCOUNT.sid, auth_token: ACCOUNT.token, from: '+15550001111' },
      },
      inbox('app'),
    ],
    users: [{ email: 'ann@acme.test', addresses: [{ name: 'phone', value: PHONE }] }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff' },
        steps: [{ channels: ['text'] }, { after: '10m', unless: 'acknowledged', channels: ['app'] }],
        templates: [
          { channel: 'text', text: 'OK {{ acknowledge_code }}' },
          { channel: 'app', text: 'Hi' },
        ],
      },
    ],
  });
  const path = `/reports/${tenant.org}/text`;
  const say = (Body: string, From = PHONE) =>
    report(path, { MessageSid: `SM${'b'.repeat(32)}`, Body, From }).expect(200);
  const sent = async () => {
    const id = await tenant.trigger();
    await quiet(app.pool, id);
    return id;
  };
  const acknowledged = async (id: string) => {
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${id}/`);
    return (body as { acknowledgements: object[] }).acknowledgements;
  };
  const first = await sent();
  await say('What is it?');
  await say('OK', '+15550000002');
  expect(await acknowledged(first)).toEqual([]);
  await say('Ok, on my way');
  const by = { user: 'ann@acme.test', at: expect.any(String), way: 'sms', step: 1 };
  expect(await acknowledged(first)).toEqual([{ ...by, note: 'on my way' }]);

  const [second, third] = [await sent(), await sent()];
  await say('OK');
  expect([await acknowledged(second), await acknowledged(third)]).toEqual([[], []]);
  // The text of the message is the answer to it.
  await say(`${twilio.sent.at(-2)!.Body} in an hour`);
  expect([await acknowledged(second), await acknowledged(third)]).toEqual([[{ ...by, note: 'in an hour' }], []]);
  await say('ack');
  expect(await acknowledged(third)).toEqual([{ ...by, note: '' }]);
});
