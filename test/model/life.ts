/**
 * The life of occurrences and deliveries as a pure model of the service: what each command answers, and where everything ends. It knows
 * nothing of jobs, workers and SQL: after each command, everything that may happen has happened. Time passes in days, which is longer than
 * any wait for a retry.
 *
 * An occurrence is `pending` until its `send_at` and while its event is off, then `expanded`, or `held` if it reaches too many people
 * until it is approved. It may be `canceled` until its last delivery has ended. A delivery is `pending` until it is `sent`, `dead` or
 * `skipped`; only a dead one comes back, by a retry.
 */
export type User = 'ann' | 'bob';
export type Channel = 'hook' | 'spare';
export type Rule = 'Copy' | 'Tell';
/** How a provider answers: it takes the message, it may take it later, or it never will. */
export type Answer = 'ok' | 'later' | 'never';

/** `Tell` reaches both over the hook. `Copy` reaches Ann over both channels. The spare channel is the fallback of the hook. */
export const PEOPLE: Record<Rule, User[]> = { Tell: ['ann', 'bob'], Copy: ['ann'] };
export const CHANNELS: Record<Rule, Channel[]> = { Tell: ['hook'], Copy: ['hook', 'spare'] };
const FALLBACK = { hook: 'spare', spare: null } as const;

export const SWITCHES = ['event', 'Tell', 'Copy', 'hook', 'spare'] as const;
export type Switch = (typeof SWITCHES)[number];

/** Seconds until the next attempt, after each failure; after the last one the delivery is dead. */
export const DELAYS = [5, 30, 300, 1800, 7200, 18_000, 36_000];

export interface Delivery {
  rule: Rule;
  channel: Channel;
  person: User;
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  gate: 'canceled' | 'expired' | null;
  /** What came of each call to the provider. */
  attempts: ('sent' | 'retry' | 'rejected')[];
  /** Attempts before the last retry by hand: they do not count towards the limit. */
  before: number;
  /** While it waits for its next attempt: for how long. */
  waits: number | null;
  /** The dead delivery that it takes over from. */
  fallbackOf: Delivery | null;
}

export interface Occurrence {
  status: 'pending' | 'expanded' | 'held' | 'canceled';
  /** Days. */
  sendIn: number;
  expiresIn: number | null;
  /** The rules that were on when it was triggered. */
  rules: Rule[];
  /** The rules and channels it goes to; null until the service has tried to expand it. */
  targets: [Rule, Channel][] | null;
  isApproved: boolean;
  deliveries: Delivery[];
}

export interface World {
  on: Record<Switch, boolean>;
  /** An occurrence that reaches more people than this is held. */
  ceiling: number | null;
  answers: Record<Channel, Record<User, Answer>>;
  occurrences: Occurrence[];
}

/** `occurrence` and `delivery` are places in their lists, from the end; a list is walked in a circle. */
export type Command =
  | { do: 'trigger'; sendIn?: number; expiresIn?: number; meanwhile?: Meanwhile }
  | { do: Steering; occurrence: number }
  | { do: 'retry one'; occurrence: number; delivery: number }
  | { do: 'switch'; what: Switch; on: boolean }
  | { do: 'ceiling'; people: number | null }
  | { do: 'answer'; channel: Channel; person: User; answer: Answer }
  | { do: 'a day passes' };

/** `retry, cancel`: the cancel comes before a worker has begun with the retry. */
export type Steering = 'cancel' | 'retry' | 'retry, cancel' | 'replay' | 'approve';

/** What happens while the first messages of a trigger are at the provider, before it answers. */
export type Meanwhile = 'cancel' | Exclude<Switch, 'Copy'>;

/** The status of the answer, and how many deliveries a retry brings back. */
export interface Reply {
  status: number;
  retrying?: number;
}

const OK: Reply = { status: 200 };
const CREATED: Reply = { status: 201 };
const CONFLICT: Reply = { status: 409 };

/** A world in which everything is on and nothing has happened. */
export const newWorld = (answers: World['answers']): World => ({
  on: { event: true, Tell: true, Copy: true, hook: true, spare: true },
  ceiling: null,
  answers: structuredClone(answers),
  occurrences: [],
});

export const at = <T>(list: T[], place: number): T | undefined => list.at(-1 - (place % Math.max(list.length, 1)));

/** Changes the world, and says what the service answers; undefined: the command is about nothing. */
export function step(world: World, command: Command): Reply | undefined {
  const reply = answerTo(world, command);
  settle(world);
  return reply;
}

function answerTo(world: World, command: Command): Reply | undefined {
  switch (command.do) {
    case 'trigger':
      return trigger(world, command);
    case 'switch':
      world.on[command.what] = command.on;
      return OK;
    case 'ceiling':
      world.ceiling = command.people;
      return OK;
    case 'answer':
      world.answers[command.channel][command.person] = command.answer;
      return undefined;
    case 'a day passes':
      world.occurrences.forEach(pass);
      return undefined;
    default: {
      const occurrence = at(world.occurrences, command.occurrence);
      return occurrence && steer(world, occurrence, command);
    }
  }
}

function trigger(world: World, { sendIn = 0, expiresIn, meanwhile }: Command & { do: 'trigger' }): Reply {
  if (expiresIn !== undefined && sendIn > 0 && expiresIn <= sendIn) return { status: 400 };
  const occurrence = newOccurrence(world, sendIn, expiresIn ?? null);
  if (meanwhile === undefined) return CREATED;
  const inFlight = firstMessages(world, occurrence);
  // The fallback is known before a message leaves.
  const { spare } = world.on;
  if (meanwhile === 'cancel') cancel(occurrence);
  else world.on[meanwhile] = false;
  for (const delivery of inFlight) attempt(world, occurrence, delivery, spare);
  return CREATED;
}

function newOccurrence(world: World, sendIn: number, expiresIn: number | null): Occurrence {
  const rules = (['Copy', 'Tell'] as const).filter((rule) => world.on[rule]);
  const rest = { rules, targets: null, isApproved: false, deliveries: [] };
  const occurrence: Occurrence = { status: 'pending', sendIn, expiresIn, ...rest };
  world.occurrences.push(occurrence);
  return occurrence;
}

/** The messages that leave at once when it is triggered. */
export function firstMessages(world: World, occurrence: Occurrence): Delivery[] {
  expand(world, occurrence);
  return occurrence.deliveries.filter((delivery) => mayLeave(world, delivery));
}

function steer(world: World, occurrence: Occurrence, command: Command & { do: Steering | 'retry one' }): Reply {
  const { status, deliveries } = occurrence;
  const isCanceled = status === 'canceled';
  switch (command.do) {
    case 'cancel':
      return cancel(occurrence);
    case 'replay':
      newOccurrence(world, 0, null);
      return CREATED;
    case 'approve':
      if (status !== 'held') return CONFLICT;
      Object.assign(occurrence, { status: 'pending', isApproved: true });
      return OK;
    case 'retry':
    case 'retry, cancel': {
      if (isCanceled) return command.do === 'retry' ? CONFLICT : OK;
      const dead = deliveries.filter((each) => each.status === 'dead' && !hasFallback(occurrence, each));
      const reply = command.do === 'retry' ? OK : cancel(occurrence);
      if (occurrence.status !== 'canceled') dead.forEach(revive);
      return { ...reply, retrying: dead.length };
    }
    case 'retry one': {
      const delivery = at(deliveries, command.delivery);
      if (isCanceled) return CONFLICT;
      if (!delivery) return { status: 404 };
      if (delivery.status !== 'dead') return CONFLICT;
      revive(delivery);
      return { status: 200, retrying: 1 };
    }
  }
}

/** A fallback that was skipped reached nobody: the first delivery may be retried. */
const hasFallback = ({ deliveries }: Occurrence, delivery: Delivery) =>
  deliveries.some(({ fallbackOf, status }) => fallbackOf === delivery && status !== 'skipped');

function cancel(occurrence: Occurrence): Reply {
  const { status, deliveries } = occurrence;
  const pending = deliveries.filter((delivery) => delivery.status === 'pending');
  if (status === 'canceled') return OK;
  if (status === 'expanded' && pending.length === 0) return CONFLICT;
  occurrence.status = 'canceled';
  for (const delivery of pending) end(delivery, 'skipped', 'canceled');
  return OK;
}

function revive(delivery: Delivery): void {
  Object.assign(delivery, { status: 'pending', before: delivery.attempts.length, waits: null });
}

function end(delivery: Delivery, status: Delivery['status'], gate: Delivery['gate'] = null): void {
  Object.assign(delivery, { status, gate, waits: null });
}

function pass(occurrence: Occurrence): void {
  occurrence.sendIn--;
  if (occurrence.expiresIn !== null) occurrence.expiresIn--;
  for (const delivery of occurrence.deliveries) delivery.waits = null;
}

/** Lets everything happen that is due. */
function settle(world: World): void {
  for (const occurrence of world.occurrences) {
    expand(world, occurrence);
    // The list grows by the fallbacks.
    for (const delivery of occurrence.deliveries) {
      if (occurrence.status === 'canceled' && delivery.status === 'pending') end(delivery, 'skipped', 'canceled');
      if (mayLeave(world, delivery)) attempt(world, occurrence, delivery, world.on.spare);
    }
  }
}

function expand(world: World, occurrence: Occurrence): void {
  if (occurrence.status !== 'pending' || occurrence.sendIn > 0 || !world.on.event) return;
  occurrence.targets ??= occurrence.rules.flatMap((rule) =>
    CHANNELS[rule].map((channel): [Rule, Channel] => [rule, channel]),
  );
  const people = new Set(occurrence.targets.flatMap(([rule]) => PEOPLE[rule]));
  if (world.ceiling !== null && people.size > world.ceiling && !occurrence.isApproved) {
    occurrence.status = 'held';
    return;
  }
  occurrence.status = 'expanded';
  for (const [rule, channel] of occurrence.targets)
    for (const person of PEOPLE[rule]) occurrence.deliveries.push(newDelivery(rule, channel, person, null));
}

function newDelivery(rule: Rule, channel: Channel, person: User, fallbackOf: Delivery | null): Delivery {
  const fresh = { status: 'pending', gate: null, attempts: [], before: 0, waits: null } as const;
  return { rule, channel, person, ...fresh, attempts: [], fallbackOf };
}

const mayLeave = ({ on }: World, { status, waits, rule, channel }: Delivery) =>
  status === 'pending' && waits === null && on.event && on[rule] && on[channel];

/** One call to the provider, unless it is too late. */
function attempt(world: World, occurrence: Occurrence, delivery: Delivery, hasSpare: boolean): void {
  const { attempts, before, channel, person } = delivery;
  if ((occurrence.expiresIn ?? 1) <= 0) return end(delivery, 'skipped', 'expired');
  const answer = world.answers[channel][person];
  attempts.push(({ ok: 'sent', later: 'retry', never: 'rejected' } as const)[answer]);
  if (answer === 'ok') return end(delivery, 'sent');
  const delay = answer === 'later' ? DELAYS[attempts.length - before - 1] : undefined;
  // A canceled delivery whose message was in flight gets no other attempt.
  if (delay !== undefined) return void (delivery.status === 'pending' && (delivery.waits = delay));
  end(delivery, 'dead');
  if (FALLBACK[channel] && hasSpare) fallBack(occurrence, delivery, FALLBACK[channel]);
}

/** The person gets the message over the fallback, unless they get one over that channel anyway. */
function fallBack({ deliveries }: Occurrence, dead: Delivery, channel: Channel): void {
  const same = deliveries.find(
    (each) => each.rule === dead.rule && each.person === dead.person && each.channel === channel,
  );
  if (!same) deliveries.push(newDelivery(dead.rule, channel, dead.person, dead));
  else if (same.status === 'dead' && same.fallbackOf === dead) revive(same);
}
