import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { BatchChannel, BatchEvent, BatchOccurrence } from './expand-small-rows.js';
import { batchValues, planOf, variantOf } from './plan.js';
import type { SmallPlan } from './plan.js';

const MAIL = 1;
const HOOK = 2;

const occurrence = (options: BatchOccurrence['options'] = {}): BatchOccurrence => ({
  id: 'o-1',
  organizationId: 3,
  eventId: 4,
  rulesetId: 5,
  context: { total: 120 },
  options,
  createdAt: '2030-01-01T08:00:00Z',
});
const NOTHING = {
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
};
const named = { slug: 'x', name: 'X' };
const event = (more: Partial<BatchEvent> = {}): BatchEvent => ({
  ...{ id: 4, event: named, application: named, project: named, organization: named },
  recipients: NOTHING,
  ...{ off: null, offNotifications: [], ceiling: null, statusWebhook: null },
  ...more,
});
const channel = (id: number, type: string) =>
  ({ id, type, slug: type, enabled: true, config: {} }) as unknown as BatchChannel;
const channels = new Map([channel(MAIL, 'email'), channel(HOOK, 'webhook')].map((row) => [row.id, row]));
const rule = (id: number, more: Partial<Rule> = {}): Rule => ({
  ...{ id, name: `Rule ${id}`, enabled: true, when: null, audience: null, lists: [id * 10] },
  templates: [{ channel: MAIL, parts: { text: 'hi' } }],
  ...more,
});
const toRoom = (id: number) => rule(id, { lists: [], templates: [{ channel: HOOK, parts: {}, per: 'room' }] });
const dispatchers = new Map([
  ['email', { type: 'email', addressKind: 'email' } as Dispatcher],
  ['webhook', { type: 'webhook', addressKind: null } as unknown as Dispatcher],
]);

const isSmall = (options: BatchOccurrence['options'], rules: Rule[], more: Partial<BatchEvent> = {}) =>
  'targets' in planOf(occurrence(options), event(more), rules, channels);

describe('an occurrence is expanded together with others', () => {
  it.each<[string, BatchOccurrence['options'], Rule[]]>([
    ['with a rule and a channel', {}, [rule(1)]],
    ['without any rule', {}, []],
    ['with a rule that does not match', {}, [rule(1, { when: 'total > `500`' })]],
    ['with limit_to for some', { limit_to: ['ann@acme.test'] }, [rule(1)]],
    ['with a room beside an audience', {}, [rule(1, { audience: { a: 1 } }), toRoom(2)]],
    ['with rules that share an audience', {}, [rule(1, { audience: { a: 1 } }), rule(2, { audience: { a: 1 } })]],
  ])('%s', (_, options, rules) => {
    expect(isSmall(options, rules)).toBe(true);
  });
});

describe('an occurrence is expanded alone', () => {
  const many = Array.from({ length: 101 }, (_, n) => `user-${n}@acme.test`);
  it.each<[string, BatchOccurrence['options'], Rule[]]>([
    ['with limit_to for many', { limit_to: many }, [rule(1)]],
    ['with rules of different audiences', {}, [rule(1, { audience: { a: 1 } }), rule(2)]],
    ['with a rule that fails', {}, [rule(1, { when: 'abs(`"x"`)' })]],
    ['with very many targets', {}, Array.from({ length: 21 }, (_, n) => rule(n + 1))],
  ])('%s', (_, options, rules) => {
    expect(isSmall(options, rules)).toBe(false);
  });

  it('when it is switched off, and the plan says by what', () => {
    const plan = planOf(occurrence(), event({ off: ['project', 9] }), [rule(1)], channels);
    expect(plan).toEqual({ occurrence: expect.objectContaining({ id: 'o-1' }), off: ['project', 9] });
  });
});

it('the statement that expands gets each target with its lists, the kind of address, and the users it is limited to', () => {
  const rules = [rule(1), rule(2, { templates: [{ channel: HOOK, parts: {} }] })];
  const plan = planOf(occurrence({ limit_to: ['Ann@Acme.test'] }), event({ ceiling: 7 }), rules, channels) as SmallPlan;
  const [targets, occurrences] = batchValues([plan], channels, dispatchers).map((json) => JSON.parse(json) as unknown);
  const shared = { occurrence: 'o-1', organization: 3, only_to: ['ann@acme.test'] };
  expect(targets).toEqual([
    { place: 0, ...shared, notification: 1, channel: MAIL, address_kind: 'email', lists: [10] },
    { place: 1, ...shared, notification: 2, channel: HOOK, address_kind: null, lists: [20] },
  ]);
  expect(occurrences).toEqual([{ place: 0, occurrence: 'o-1', decisions: plan.decisions, ceiling: 7 }]);
});

it('the statement that expands hears of rooms only if there are any', () => {
  const plans = [[rule(1)], [rule(1), toRoom(2)]].map(
    (rules) => planOf(occurrence(), event(), rules, channels) as SmallPlan,
  );
  expect(plans.map((plan) => variantOf([plan], channels).rooms)).toEqual([false, true]);
  const [targets] = batchValues(plans, channels, dispatchers);
  expect((JSON.parse(targets!) as { room?: true }[]).map(({ room }) => room)).toEqual([undefined, undefined, true]);
});
