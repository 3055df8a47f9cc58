/** What a notification with steps may do for one occurrence, without jobs, workers or SQL. Times are ticks of ten minutes. */

export type Unless = 'sent' | 'delivered' | 'seen' | 'read' | 'acknowledged' | null;

/** A step of one channel. The first has no time, and a condition only if it is repeated. */
export interface Step {
  after: number;
  unless: Unless;
  repeat?: { every: number; times: number };
  /** Whether it is for the managers, in place of the users of the step before. */
  toManagers?: boolean;
}

/** Whose acknowledgement ends the steps, and the ticks after which it lapses; null: it never does. */
export interface Acknowledge {
  by: 'anyone' | 'each';
  for: number | null;
}

export type Answer = 'ok' | 'later' | 'never';
export type Status = 'pending' | 'sent' | 'dead' | 'locked' | 'canceled';

export type Command =
  | { do: 'time passes'; ticks: number }
  | { do: 'answer'; answer: Answer }
  | { do: 'inbox'; user: number; what: 'seen' | 'read' }
  | { do: 'report'; user: number; step: number; what: 'delivered' | 'seen' }
  | { do: 'acknowledge'; user: number }
  | { do: 'lock' | 'unlock'; user: number }
  | { do: 'cancel' }
  | { do: 'switch off' | 'switch on' };

interface Message {
  status: Status;
  /** When it was sent, or it was decided that it is not. */
  at: number;
  /** While it is pending: when it is tried again. */
  next: number;
  repetition: number;
  /** Also of the times before it was repeated. */
  known: Exclude<Unless, null>[];
}

interface User {
  locked: boolean;
  /** By step. */
  messages: (Message | undefined)[];
  /** When they acknowledged it. */
  acknowledged: number | null;
}

export interface World {
  steps: Step[];
  acknowledge: Acknowledge;
  now: number;
  users: User[];
  answer: Answer;
  isOn: boolean;
  isCanceled: boolean;
  /** The steps for managers that are over: taken, or not needed. */
  over: Set<number>;
}

/** Two of the first and one more are managers. */
export const PEOPLE = 4;
export const USERS = 3;
const isManager = (user: number) => user >= 2;

/** The world right after the trigger. The first step goes to the inbox, which takes everything; the others to a provider. */
export const newWorld = (steps: Step[], acknowledge: Acknowledge): World => ({
  ...{ steps, acknowledge, now: 0, answer: 'ok', isOn: true, isCanceled: false, over: new Set() },
  users: Array.from({ length: PEOPLE }, (_, n) => ({
    ...{ locked: false, acknowledged: null },
    messages: n < USERS ? [{ status: 'sent', at: 0, next: 0, repetition: 0, known: ['sent', 'delivered'] }] : [],
  })),
});

/** A provider that answers `later` asks for an hour. Retries that are due together are sent together, a little later. */
const PAUSE = 7;

export function step(world: World, command: Command): void {
  switch (command.do) {
    case 'time passes':
      for (let tick = 0; tick < command.ticks; tick++) {
        world.now++;
        settle(world);
      }
      break;
    case 'answer':
      world.answer = command.answer;
      break;
    case 'inbox':
      know(world.users[command.user]!.messages[0], command.what, true);
      break;
    case 'report':
      if (command.step > 0) know(world.users[command.user]!.messages[command.step], command.what);
      break;
    case 'acknowledge':
      acknowledge(world, world.users[command.user]!);
      break;
    case 'lock':
    case 'unlock':
      world.users[command.user]!.locked = command.do === 'lock';
      break;
    case 'cancel':
      cancel(world);
      break;
    default:
      world.isOn = command.do === 'switch on';
  }
  settle(world);
}

/** A message in the inbox is there, whatever becomes of it when it is repeated. */
function know(message: Message | undefined, what: Exclude<Unless, null>, isInInbox = false): void {
  if (message && (message.status === 'sent' || isInInbox)) message.known.push(what);
}

/** The first stays, until it has lapsed. */
function acknowledge(world: World, user: User): void {
  if (user.acknowledged === null || !counts(world, user)) user.acknowledged = world.now;
}

const counts = ({ acknowledge, now }: World, { acknowledged }: User) =>
  acknowledged !== null && (acknowledge.for === null || acknowledged + acknowledge.for > now);

function cancel(world: World): void {
  world.isCanceled = true;
  for (const message of world.users.flatMap(({ messages }) => messages))
    if (message?.status === 'pending') message.status = 'canceled';
}

const LADDER = ['sent', 'delivered', 'seen', 'read', 'acknowledged'];

/** Whether a message of the user before a place has the evidence. */
const isKnown = ({ messages }: User, unless: Exclude<Unless, null>, place: number) =>
  messages
    .slice(0, place)
    .some((message) => message?.known.some((each) => LADDER.indexOf(each) >= LADDER.indexOf(unless)));

/** Everything that is due now happens. */
function settle(world: World): void {
  if (!world.isOn || world.isCanceled) return;
  for (const user of world.users) {
    for (const message of user.messages)
      if (message?.status === 'pending' && message.next <= world.now) send(world, user, message);
  }
  for (const [place, { toManagers }] of world.steps.entries()) {
    if (toManagers) tellManagers(world, place);
    for (const user of world.users) {
      if (place > 0 && !toManagers) follow(world, user, place);
      repeat(world, user, place);
    }
  }
}

/** Whether the evidence of a step ends it for a user. */
function isEnded(world: World, user: User, place: number, before: number): boolean {
  const { unless } = world.steps[place]!;
  if (unless === null) return false;
  const all = world.acknowledge.by === 'each' ? [user] : world.users;
  return isKnown(user, unless, before) || all.some((each) => counts(world, each));
}

/** Takes the next step of a user, if it is due. Evidence counts when it is looked for. */
function follow(world: World, user: User, place: number): void {
  const last = user.messages[place - 1];
  if (!last || user.messages[place] || last.status === 'pending') return;
  const isRepeated = last.status === 'locked' || last.repetition >= (world.steps[place - 1]!.repeat?.times ?? 0);
  if (!isRepeated || last.at + world.steps[place]!.after > world.now) return;
  if (!isEnded(world, user, place, place)) user.messages[place] = newMessage(world, user);
}

/** Takes a step again, whose own message counts as evidence, too. Who got nothing gets no repetition. */
function repeat(world: World, user: User, place: number): void {
  const again = world.steps[place]!.repeat;
  const message = user.messages[place];
  if (!again || !message || !['sent', 'dead'].includes(message.status) || message.repetition >= again.times) return;
  if (user.messages[place + 1] && !world.steps[place + 1]!.toManagers) return;
  if (message.at + again.every > world.now || isEnded(world, user, place, place + 1)) return;
  Object.assign(message, { status: 'pending', at: world.now, next: world.now, repetition: message.repetition + 1 });
  send(world, user, message, place === 0);
}

/** A step for managers is taken for all of them, or for none: its evidence is asked for everybody. */
function tellManagers(world: World, place: number): void {
  const { unless, after } = world.steps[place]!;
  const start = startOf(world, place - 1);
  if (world.over.has(place) || start === null || start + after > world.now) return;
  if (unless !== null) {
    if (world.users.some((user) => counts(world, user))) {
      if (world.acknowledge.for === null) world.over.add(place);
      return;
    }
    if (world.users.some((user) => isKnown(user, unless, place))) return void world.over.add(place);
  }
  world.over.add(place);
  for (const [n, user] of world.users.entries()) if (isManager(n)) user.messages[place] = newMessage(world, user);
}

/** When the messages of a step were sent, and would have been repeated for the last time; null: none was yet. */
function startOf(world: World, place: number): number | null {
  const { after, repeat: again = { every: 0, times: 0 } } = world.steps[place]!;
  const all = world.users.flatMap(({ messages }) => messages[place] ?? []);
  const rest = ({ repetition, status }: Message) =>
    status === 'locked' ? 0 : (again.times - repetition) * again.every;
  const endsOf = (those: Message[]) => those.map((message) => message.at + rest(message));
  const sent = all.filter(({ status }) => status === 'sent');
  if (sent.length > 0) return Math.min(...endsOf(sent));
  if (all.some(({ status }) => status === 'pending')) return null;
  if (all.length > 0) return Math.max(...endsOf(all));
  if (place === 0) return 0;
  const before = startOf(world, place - 1);
  return before === null ? null : before + after + again.times * again.every;
}

function newMessage(world: World, user: User): Message {
  const message: Message = { status: 'pending', at: world.now, next: world.now, repetition: 0, known: [] };
  send(world, user, message);
  return message;
}

function send({ answer, now }: World, { locked }: User, message: Message, isInbox = false): void {
  // Of a message that is not tried again, the last attempt counts.
  if (locked) {
    message.status = 'locked';
    return;
  }
  message.at = now;
  if (answer === 'later' && !isInbox) message.next = now + PAUSE;
  else message.status = isInbox || answer === 'ok' ? 'sent' : 'dead';
  if (message.status === 'sent') message.known.push('sent');
}
