import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { addressKindOf, channelsById, decide, isChosen, isRoom, targetsOf } from './decide.js';
import type { Decision, RuleChannel } from './decide.js';
import type { Rule } from './rule.js';

const MAIL: RuleChannel = { id: 1, slug: 'mail', type: 'email', enabled: true, config: {} };
const HOOK: RuleChannel = { id: 2, slug: 'hook', type: 'webhook', enabled: false, config: {} };
const CHANNELS = new Map([MAIL, HOOK].map((channel) => [channel.id, channel]));

const over = (...channels: number[]) => channels.map((channel) => ({ channel, parts: {} }));

const rule = (more: Partial<Rule> = {}): Rule => ({
  ...{ id: 7, name: 'Tell', enabled: true, when: null, audience: null, lists: [], templates: over(1) },
  ...more,
});

const decideOne = (one: Partial<Rule>, context: unknown = {}, chosen?: string[]) =>
  decide([rule(one)], context, { channels: chosen }, CHANNELS)[0]!;

describe('a notification', () => {
  it.each<[string, Partial<Rule>, object, Partial<Decision>]>([
    ['without a condition matches', {}, {}, { verdict: 'matched' }],
    ['matches when its condition is true', { when: 'total > `100`' }, { total: 101 }, { verdict: 'matched' }],
    ['is filtered when its condition is false', { when: 'total > `100`' }, { total: 100 }, { verdict: 'filtered' }],
    ['is filtered when its condition names a missing value', { when: 'total' }, {}, { verdict: 'filtered' }],
    [
      'fails, with a reason, when its condition cannot be applied',
      { when: 'length(total) > `0`' },
      { total: 7 },
      { verdict: 'failed', reason: 'the condition of the rule failed: length() cannot take number.' },
    ],
    ['that is switched off is disabled', { enabled: false }, {}, { verdict: 'disabled' }],
    [
      'that is switched off is disabled, whatever its condition says',
      { enabled: false, when: 'length(total) > `0`' },
      { total: 7 },
      { verdict: 'disabled' },
    ],
  ])('%s', (_, one, context, expected) => {
    const { verdict, reason } = decideOne(one, context);
    expect({ verdict, reason }).toEqual({ reason: undefined, ...expected });
  });

  it('keeps its id and name, and the order of the ruleset', () => {
    const decisions = decide([rule({ id: 8, name: 'B' }), rule({ name: 'A' })], {}, {}, CHANNELS);
    expect(decisions.map(({ notification, name }) => [notification, name])).toEqual([
      [8, 'B'],
      [7, 'A'],
    ]);
  });
});

it('a replay that chose notifications uses no channel of the others', () => {
  const rules = [rule({ name: 'A' }), rule({ name: 'B' })];
  const decisions = decide(rules, {}, { notifications: ['B'] }, CHANNELS);
  expect(decisions.map(({ channels }) => channels[0]!.verdict)).toEqual(['not_chosen', 'open']);
});

describe('a channel', () => {
  it.each<[string, number, string[] | undefined, string]>([
    ['that is switched on is open', 1, undefined, 'open'],
    ['that the trigger chose by its slug is open', 1, ['mail'], 'open'],
    ['that the trigger chose by its type is open', 1, ['sms', 'email'], 'open'],
    ['that the trigger did not choose is not used', 1, ['hook'], 'not_chosen'],
    ['that is switched off is open: its messages wait', 2, undefined, 'open'],
    ['that is switched off and not chosen is not chosen', 2, ['mail'], 'not_chosen'],
    ['that was deleted is gone', 3, undefined, 'gone'],
    ['that was deleted is gone, whatever the trigger chose', 3, ['mail'], 'gone'],
  ])('%s', (_, id, chosen, verdict) => {
    const slug = CHANNELS.get(id)?.slug ?? '';
    expect(decideOne({ templates: over(id) }, {}, chosen).channels).toEqual([{ channel: id, slug, verdict }]);
  });

  it('has its verdict also when its notification does not match', () => {
    const { verdict, channels } = decideOne({ enabled: false, templates: over(1, 2) });
    expect([verdict, ...channels.map((channel) => channel.verdict)]).toEqual(['disabled', 'open', 'open']);
  });

  it.each<[string, string[] | undefined, boolean]>([
    ['by default', undefined, true],
    ['by its slug', ['mail'], true],
    ['by its type', ['email'], true],
    ['not by a part of its name', ['mai'], false],
    ['not by an empty list', [], false],
  ])('is chosen %s', (_, chosen, expected) => {
    expect(isChosen(MAIL, chosen)).toBe(expected);
  });

  it('is found by its id', () => {
    expect([...channelsById({ 1: MAIL, 2: HOOK })]).toEqual([
      [1, MAIL],
      [2, HOOK],
    ]);
    expect(channelsById(null).size).toBe(0);
  });
});

it('a trigger that is limited to some users posts to no room', () => {
  const templates = [...over(1), { channel: 2, parts: {}, per: 'room' as const }];
  const verdicts = (options: Parameters<typeof decide>[2]) =>
    decide([rule({ templates })], {}, options, CHANNELS)[0]!.channels.map(({ verdict }) => verdict);
  expect(verdicts({})).toEqual(['open', 'open']);
  expect(verdicts({ limit_to: ['ann@acme.test'] })).toEqual(['open', 'limited']);
  expect(verdicts({ limit_to: [], channels: ['mail'] })).toEqual(['open', 'not_chosen']);
});

describe('targets', () => {
  it('are the open channels of notifications that matched or failed, with the reason of the failure', () => {
    const decisions = decide(
      [
        rule({ id: 1, templates: over(1, 2, 3) }),
        rule({ id: 2, when: '`false`' }),
        rule({ id: 3, enabled: false }),
        rule({ id: 4, when: 'length(total)' }),
      ],
      { total: 7 },
      {},
      CHANNELS,
    );
    expect(targetsOf(decisions)).toEqual([
      { notification: 1, channel: 1, reason: undefined },
      { notification: 1, channel: 2, reason: undefined },
      { notification: 4, channel: 1, reason: 'the condition of the rule failed: length() cannot take number.' },
    ]);
  });
});

describe('the kind of address that a channel needs', () => {
  const dispatchers = new Map<string, Dispatcher>([
    ['email', { type: 'email', addressKind: 'email' } as Dispatcher],
    ['log', { type: 'log', addressKind: null, isRoom: true } as Dispatcher],
    ['inbox', { type: 'inbox', addressKind: null } as Dispatcher],
    [
      'webhook',
      {
        type: 'webhook',
        addressKind: null,
        isRoom: true,
        addressKindFor: ({ url }: { url?: string }) => (url ? null : 'webhook'),
      } as unknown as Dispatcher,
    ],
  ]);

  it.each<[string, Pick<RuleChannel, 'type' | 'config'> | undefined, string | null]>([
    ['is that of its dispatcher', MAIL, 'email'],
    ['is none where the dispatcher needs none', { type: 'log', config: {} }, null],
    ['may depend on its settings', { type: 'webhook', config: {} }, 'webhook'],
    ['may depend on its settings, and be none', { type: 'webhook', config: { url: 'x' } }, null],
    ['is none for an unknown type', { type: 'pigeon', config: {} }, null],
    ['is none for a deleted channel', undefined, null],
  ])('%s', (_, channel, kind) => {
    expect(addressKindOf(channel, dispatchers)).toBe(kind);
  });

  it.each<[string, string, object, boolean]>([
    ['its dispatcher posts to one', 'log', {}, true],
    ['its dispatcher posts to one, and its settings ask for no address', 'webhook', { url: 'x' }, true],
    ['its settings ask for an address: no', 'webhook', {}, false],
    ['it needs no address, but each user has their own: no', 'inbox', {}, false],
    ['it is of an unknown type: no', 'pigeon', {}, false],
  ])('a channel is a room if %s', (_, type, config, expected) => {
    expect(isRoom({ type, config: { ...config } }, dispatchers)).toBe(expected);
  });
});
