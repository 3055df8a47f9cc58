import { describe, expect, it } from '@jest/globals';
import type { RenderResult } from '../render/render-result.js';
import { decideMessage, isExpired, messageFor, renderContexts } from './message.js';
import type { MessageDecision, Limits, MessageRecipient, Subject } from './message.js';
import { ROOM } from './rule.js';

const NOW = new Date('2030-01-01T08:00:00Z');
const EARLIER = new Date('2030-01-01T07:59:59Z');
const LATER = new Date('2030-01-01T08:00:01Z');

const SUBJECT: Subject = {
  occurrence: 'o-1',
  createdAt: NOW,
  context: { order: 'A-17' },
  event: { slug: 'order-paid', name: 'Order paid' },
  application: { slug: 'web', name: 'Web' },
  project: { slug: 'shop', name: 'Shop' },
  organization: { slug: 'acme', name: 'Acme' },
  digest: null,
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
  channel: { slug: 'mail', name: 'Mail', type: 'email' },
};

const ANN: MessageRecipient = {
  id: '17',
  attempts: 0,
  attemptsBefore: 0,
  pendingSince: NOW,
  userId: 5,
  address: 'ann@home.test',
  locked: false,
  email: 'ann@acme.test',
  firstName: 'Ann',
  lastName: 'Lee',
  customFields: { team: 'ops' },
};

const THE_ROOM: Partial<MessageRecipient> = { userId: ROOM, email: null, address: null };

const RENDERED = { subject: 'Order A-17', text: 'Hi Ann', html: '<p>Hi Ann</p>' };
const GOOD: RenderResult = { ok: true, message: RENDERED };
const BAD: RenderResult = { ok: false, reason: 'slow', error: 'The template took too long.' };

describe('just before a message is sent', () => {
  it.each<[string, Partial<MessageRecipient>, Partial<Limits>, RenderResult, MessageDecision]>([
    ['it is sent as it was rendered', {}, {}, GOOD, { rendered: RENDERED }],
    ['it is sent before it expires', {}, { expiresAt: LATER }, GOOD, { rendered: RENDERED }],
    ['it is skipped when it has expired', {}, { expiresAt: EARLIER }, GOOD, { gate: 'expired' }],
    ['it is skipped when it expires at this moment', {}, { expiresAt: NOW }, GOOD, { gate: 'expired' }],
    ['it is skipped when the user is locked', { locked: true }, {}, GOOD, { gate: 'locked' }],
    ['expiry counts first', { locked: true }, { expiresAt: EARLIER }, BAD, { gate: 'expired' }],
    ['a lock counts before a template that failed', { locked: true }, {}, BAD, { gate: 'locked' }],
    ['a deleted user is a problem', { email: null }, {}, GOOD, { problem: 'the user was deleted' }],
    ['a deleted address is a problem', { address: null }, {}, GOOD, { problem: 'the address was deleted' }],
    ['no address is fine where none is needed', { address: null }, { addressKind: null }, GOOD, { rendered: RENDERED }],
    ['a post to a room needs no user', THE_ROOM, { addressKind: null, isRoom: true }, GOOD, { rendered: RENDERED }],
    ['a post to a room expires too', THE_ROOM, { isRoom: true, expiresAt: NOW }, GOOD, { gate: 'expired' }],
    [
      'a post to a channel that is no room any more is a problem',
      THE_ROOM,
      { addressKind: 'slack' },
      GOOD,
      { problem: expect.stringContaining('per: person') as unknown as string },
    ],
    [
      'a template that failed is a problem, with its error',
      {},
      {},
      BAD,
      { problem: 'the template failed: The template took too long.' },
    ],
  ])('%s', (_, user, limits, result, fate) => {
    const all: Limits = { expiresAt: null, addressKind: 'email', isRoom: false, ...limits };
    expect(decideMessage({ ...ANN, ...user }, all, result, NOW)).toEqual(fate);
  });
});

it.each([
  ['never without a time', null, false],
  ['before its time: no', LATER, false],
  ['at its time: yes', NOW, true],
  ['after its time: yes', EARLIER, true],
])('an occurrence expires %s', (_, expiresAt, expected) => {
  expect(isExpired(expiresAt, NOW)).toBe(expected);
});

describe('a message', () => {
  it('has an id that is the same at every attempt, its address, its parts, and the names that it is about', () => {
    const again = { ...ANN, attempts: 3 };
    expect(messageFor(SUBJECT, again, RENDERED)).toEqual({
      id: 'o-1.17',
      to: 'ann@home.test',
      ...RENDERED,
      about: {
        occurrence: 'o-1',
        organization: 'acme',
        project: 'shop',
        application: 'web',
        event: 'order-paid',
        user: 'ann@acme.test',
      },
      context: { order: 'A-17' },
    });
  });

  it('has an empty address where the channel needs none', () => {
    expect(messageFor(SUBJECT, { ...ANN, address: null }, RENDERED).to).toBe('');
  });

  it('to a room has no user, and the context of the trigger', () => {
    const { to, about, context } = messageFor(SUBJECT, { ...ANN, ...THE_ROOM }, RENDERED);
    expect([to, about.user, context]).toEqual(['', null, { order: 'A-17' }]);
  });
});

describe('a template', () => {
  it('knows the context, everything around the event, and its reader', () => {
    expect(renderContexts(SUBJECT, [ANN])).toEqual([
      {
        context: { order: 'A-17' },
        digest: null,
        event: SUBJECT.event,
        application: SUBJECT.application,
        project: SUBJECT.project,
        organization: SUBJECT.organization,
        channel: SUBJECT.channel,
        occurrence: { id: 'o-1', created_at: '2030-01-01T08:00:00.000Z' },
        user: {
          email: 'ann@acme.test',
          username: 'ann@acme.test',
          first_name: 'Ann',
          last_name: 'Lee',
          custom_fields: { team: 'ops' },
          locale: 'en',
        },
        region: { locale: 'en', timeZone: 'UTC', usual: null },
      },
    ]);
  });

  it('has the locale of the trigger, else of the user, else of the organization, else English', () => {
    const regionOf = (trigger: string | undefined, own: string | null, usual: string | null) => {
      const recipients = { ...SUBJECT.recipients, locale: usual, timeZone: 'Asia/Tokyo' };
      const [made] = renderContexts({ ...SUBJECT, locale: trigger, recipients }, [{ ...ANN, locale: own }]);
      expect(made!.user!.locale).toBe(made!.region!.locale);
      return made!.region;
    };
    expect(regionOf('pl', 'de', 'ja')).toEqual({ locale: 'pl', timeZone: 'Asia/Tokyo', usual: 'ja' });
    expect(regionOf(undefined, 'de', 'ja')).toMatchObject({ locale: 'de' });
    expect(regionOf(undefined, null, 'ja')).toMatchObject({ locale: 'ja' });
    expect(regionOf(undefined, null, null)).toMatchObject({ locale: 'en' });
  });

  it('shares everything but the reader between users, in their order', () => {
    const [ann, bob] = renderContexts(SUBJECT, [ANN, { ...ANN, firstName: 'Bob' }]);
    expect([ann!.user?.first_name, bob!.user?.first_name]).toEqual(['Ann', 'Bob']);
    expect(bob!.context).toBe(ann!.context);
    expect(bob!.occurrence).toBe(ann!.occurrence);
  });

  it('has no user in a room, whatever the context says', () => {
    const [room] = renderContexts(SUBJECT, [{ ...ANN, ...THE_ROOM }]);
    expect(room!.user).toBeNull();
  });

  it('is rendered for nobody when there are no users', () => {
    expect(renderContexts(SUBJECT, [])).toEqual([]);
  });
});
