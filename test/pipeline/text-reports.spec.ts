import { createHmac } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { DISPATCHERS } from '../../src/dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../src/dispatcher/dispatcher.js';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { builtInDispatcher } from '../../src/dispatcher/provider/built-in.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { FakeTwilio } from '../support/providers/twilio.js';
import { Tenant } from '../support/world/tenant.js';

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
  const signed =
    StatusCallback +
    Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flat()
      .join('');
  const signature = createHmac('sha1', ACCOUNT.token).update(signed).digest('base64');
  const answer = await app.as().post(path).set('X-Twilio-Signature', signature).type('form').send(fields);
  expect(answer.status).toBe(200);
  const { rows } = await app.pool.query('select report from deliveries where id = $1', [delivery!.id]);
  expect(rows).toEqual([{ report: 'delivered' }]);
});
