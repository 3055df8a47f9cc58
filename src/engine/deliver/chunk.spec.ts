import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sealConfig } from '../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { Outbound } from '../../dispatcher/outbound/outbound.js';
import { builtInDispatcher } from '../../dispatcher/provider/built-in.js';
import type { RuleTemplate } from '../../rules/ruleset/rule.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { templateKey } from '../../rules/template/template.js';
import { prepareChunk } from './chunk.js';
import type { Chunk, SharedRow, UnusableChunk } from './chunk.js';

const MAIL = 1;
const SMS = 2;
const ROOM_1 = 3;
const ROOM_2 = 4;
const RULE = 7;

const email = { type: 'email', addressKind: 'email' } as Dispatcher;
const dispatchers = new Map([
  ['email', email],
  ['sms', { type: 'sms', addressKind: 'phone' } as Dispatcher],
  ['log', { type: 'log', addressKind: null, isRoom: true } as Dispatcher],
]);
const secrets = new SecretBox(randomBytes(32));

const TRIGGERED = new Date('2030-01-01T08:00:00Z');
const template = (channel: number, text: string): RuleTemplate => ({ channel, parts: { text } });
const post = (channel: number): RuleTemplate => ({ ...template(channel, 'post'), per: 'room' });
const ruleOver = (...templates: RuleTemplate[]) => ({
  ...{ id: RULE, name: 'Tell', enabled: true, when: null, audience: null, lists: [] },
  templates,
});

const SHARED: SharedRow = {
  status: 'expanded',
  options: {},
  eventId: 4,
  digest: null,
  rules: [ruleOver(template(MAIL, 'over mail'))],
  context: { order: 'A-17' },
  createdAt: TRIGGERED,
  event: { slug: 'order-paid', name: 'Order paid' },
  application: { slug: 'web', name: 'Web' },
  project: { slug: 'shop', name: 'Shop' },
  organization: { slug: 'acme', name: 'Acme' },
  recipients: {
    category: null,
    projectId: 1,
    applicationId: 1,
    hasMuted: false,
    hasSuppressions: false,
    timeZone: null,
    locale: null,
    quietHours: null,
    hasOwnQuietHours: false,
    limit: null,
  },
  slug: 'mail',
  name: 'Mail',
  type: 'email',
  off: null,
  config: { host: 'mx.acme.test', port: 25 },
  projectId: null,
  organizationId: 3,
  fallback: null,
  statusWebhook: null,
};
const FALLBACK = { id: SMS, slug: 'text', type: 'sms', config: {} };

const TARGET = { occurrence: 'o-1', notification: RULE, channel: MAIL, template: MAIL };

const prepare = (shared: Partial<SharedRow> = {}, target: Partial<typeof TARGET> = {}) =>
  prepareChunk({ ...TARGET, ...target }, { ...SHARED, ...shared }, dispatchers, secrets);
const chunkOf = (shared: Partial<SharedRow> = {}, target: Partial<typeof TARGET> = {}) =>
  prepare(shared, target) as Chunk;
const problemOf = (shared: Partial<SharedRow>, target: Partial<typeof TARGET> = {}) =>
  (prepare(shared, target) as UnusableChunk).problem;

describe('a chunk', () => {
  it('has everything that is needed to send its messages', () => {
    const { context, createdAt, event, application, project, organization, recipients, digest } = SHARED;
    const parts = { text: 'over mail' };
    expect(prepare()).toEqual({
      organizationId: 3,
      notificationId: RULE,
      channelId: MAIL,
      dueAt: TRIGGERED,
      expiresAt: null,
      subject: {
        ...{ occurrence: 'o-1', context, createdAt, event, application, project, organization, recipients, digest },
        channel: { slug: 'mail', name: 'Mail', type: 'email' },
      },
      dispatcher: email,
      addressKind: 'email',
      isRoom: false,
      config: { host: 'mx.acme.test', port: 25 },
      rate: undefined,
      template: { key: templateKey(parts), parts },
      templateChannel: MAIL,
      isTemplateOfAnother: false,
      canAcknowledge: false,
      fallback: null,
      patienceMs: null,
      limits: null,
    });
  });

  it('knows where its provider reports, if messages say so', () => {
    const text = builtInDispatcher('sms', new Outbound());
    const of = (dispatcher: Dispatcher, projectId: number | null) => {
      const row = { ...SHARED, type: dispatcher.type, slug: 'text', config: { auth_token: 'x' }, projectId };
      return (prepareChunk(TARGET, row, new Map([[dispatcher.type, dispatcher]]), secrets) as Chunk).reportPath;
    };
    expect(of(text, null)).toBe('/reports/acme/text');
    expect(of(text, 1)).toBe('/reports/acme/shop/text');
    expect(of(email, null)).toBeUndefined();
  });

  it('is due when the event was triggered, or at its `send_at`', () => {
    const sendAt = '2030-01-02T08:00:00Z';
    expect([chunkOf().dueAt, chunkOf({ options: { send_at: sendAt } }).dueAt]).toEqual([TRIGGERED, new Date(sendAt)]);
  });

  it('expires at `expires_at`', () => {
    const expiresAt = '2030-01-03T08:00:00Z';
    expect(chunkOf({ options: { expires_at: expiresAt } }).expiresAt).toEqual(new Date(expiresAt));
  });

  it('takes the rate out of the settings, as a number', () => {
    const { rate, config } = chunkOf({ config: { host: 'mx', rate: '20' } });
    expect({ rate, config }).toEqual({ rate: 20, config: { host: 'mx' } });
  });

  it('decrypts the secrets of its channel', () => {
    const fields = [{ key: 'password', label: '', kind: 'string', required: false, secret: true } as const];
    const place = { organizationId: 3, projectId: null, slug: 'mail' };
    const config = sealConfig(fields, { password: 'pa55' }, place, secrets);
    expect(chunkOf({ config }).config).toEqual({ password: 'pa55' });
  });

  it('of a fallback uses the template of the channel that it stands in for', () => {
    const { channelId, template: used } = chunkOf({ slug: 'text', type: 'sms' }, { channel: SMS });
    expect([channelId, used.parts]).toEqual([SMS, { text: 'over mail' }]);
  });
});

describe('a channel cannot be used', () => {
  it.each<[string, Partial<SharedRow>, Partial<typeof TARGET>, string]>([
    ['without a dispatcher', { type: 'pigeon' }, {}, 'there is no dispatcher for pigeon, or no template for mail'],
    ['without a template', { rules: [ruleOver()] }, {}, 'there is no dispatcher for email, or no template for mail'],
    ['without its notification', {}, { notification: 8 }, 'there is no dispatcher for email, or no template for mail'],
    [
      'when its secrets cannot be decrypted',
      { config: { password: { sealed: 'broken' } } },
      {},
      'the settings of mail cannot be read: the secret has an unknown format: enter it again',
    ],
  ])('%s', (_, shared, target, problem) => {
    expect(problemOf(shared, target)).toBe(problem);
  });

  it.each([
    ['without a dispatcher', { type: 'pigeon' }],
    ['with broken secrets', { config: { password: { sealed: 'broken' } } }],
  ])('%s, and its messages still expire and still have a fallback', (_, shared) => {
    const options = { expires_at: '2030-01-03T08:00:00Z' };
    expect(prepare({ ...shared, options, fallback: FALLBACK })).toEqual({
      problem: expect.any(String),
      expiresAt: new Date('2030-01-03T08:00:00Z'),
      fallback: { channelId: SMS, addressKind: 'phone', template: MAIL },
      patienceMs: null,
      limits: null,
    });
  });
});

describe('a fallback', () => {
  it('without a template of its own uses that of the channel', () => {
    expect(chunkOf({ fallback: FALLBACK }).fallback).toEqual({ channelId: SMS, addressKind: 'phone', template: MAIL });
  });

  it('waits for the minutes that the channel names', () => {
    const config = { ...SHARED.config, fallback_after: 10 };
    const waits = [chunkOf({ fallback: FALLBACK, config }), chunkOf({ config })].map((chunk) => chunk.patienceMs);
    expect(waits).toEqual([600_000, null]);
    expect(chunkOf({ fallback: FALLBACK, config }).config).not.toHaveProperty('fallback_after');
  });

  it('with a template of its own uses that', () => {
    const rules = [ruleOver(template(MAIL, 'over mail'), template(SMS, 'over sms'))];
    expect(chunkOf({ fallback: FALLBACK, rules }).fallback).toMatchObject({ template: null });
  });

  it('of a fallback uses the same template again', () => {
    const { fallback } = chunkOf({ fallback: { ...FALLBACK, id: 9 } }, { channel: SMS });
    expect(fallback).toMatchObject({ channelId: 9, template: MAIL });
  });

  it.each<[string, RuleTemplate[], number, { id: number; type: string }, object | null]>([
    ['of a room is another room', [post(ROOM_1)], ROOM_1, { id: ROOM_2, type: 'log' }, { template: ROOM_1 }],
    ['of a room is no user', [post(ROOM_1)], ROOM_1, { id: SMS, type: 'sms' }, null],
    ['of a user may be a room', [template(MAIL, '')], MAIL, { id: ROOM_1, type: 'log' }, { template: MAIL }],
    ['of a user is no room with a post', [template(MAIL, ''), post(ROOM_1)], MAIL, { id: ROOM_1, type: 'log' }, null],
    [
      'of a room is no room where each user has a message',
      [post(ROOM_1), template(ROOM_2, '')],
      ROOM_1,
      { id: ROOM_2, type: 'log' },
      null,
    ],
  ])('%s', (_, templates, channel, fallback, expected) => {
    const shared = { rules: [ruleOver(...templates)], fallback: { ...FALLBACK, ...fallback } };
    const found = chunkOf(shared, { channel, template: channel }).fallback;
    if (expected) expect(found).toMatchObject(expected);
    else expect(found).toBeNull();
  });

  it.each([
    ['by its slug', ['mail', 'text'], true],
    ['by its type', ['email', 'sms'], true],
    ['not at all', ['mail'], false],
  ])('is used only if the trigger chose it: %s', (_, channels, isUsed) => {
    expect(chunkOf({ fallback: FALLBACK, options: { channels } }).fallback !== null).toBe(isUsed);
  });
});
