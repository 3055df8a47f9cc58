/** What a notification with steps may do for one occurrence, without jobs, workers or SQL. Times are ticks of ten minutes. */

export type Unless = 'sent' | 'delivered' | 'seen' | 'read' | null;

/** A step of one channel. The first has neither a time nor a condition. */
export interface Step {
  after: number;
  unless: Unless;
}

export type Answer = 'ok' | 'later' | 'never';
export type Status = 'pending' | 'sent' | 'dead' | 'locked' | 'canceled';

export type Command =
  | { do: 'time passes'; ticks: number }
  | { do: 'answer'; answer: Answer }
  | { do: 'inbox'; user: number; what: 'seen' | 'read' }
  | { do: 'report'; user: number; step: number; what: 'delivered' | 'seen' }
  | { do: 'lock' | 'unlock'; user: number }
  | { do: 'cancel' }
  | { do: 'switch off' | 'switch on' };

interface Message {
  status: Status;
  /** When it was sent, or it was decided that it is not. */
  at: number;
  /** While it is pending: when it is tried again. */
  next: number;
  known: Exclude<Unless, null>[];
}

interface User {
  locked: boolean;
  /** By step. */
  messages: Message[];
  isDone: boolean;
}

export interface World {
  steps: Step[];
  now: number;
  users: User[];
  answer: Answer;
  isOn: boolean;
  isCanceled: boolean;
}

export const USERS = 3;

/** The world right after the trigger. The first step goes to the inbox, which takes everything; the others to a provider. */
export const newWorld = (steps: Step[]): World => ({
  ...{ steps, now: 0, answer: 'ok', isOn: true, isCanceled: false },
  users: Array.from({ length: USERS }, () => ({
    ...{ locked: false, isDone: false },
    messages: [{ status: 'sent', at: 0, next: 0, known: [] }],
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
      know(world.users[command.user]!.messages[0], command.what);
      break;
    case 'report':
      if (command.step > 0) know(world.users[command.user]!.messages[command.step], command.what);
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

function know(message: Message | undefined, what: Exclude<Unless, null>): void {
  if (message?.status === 'sent') message.known.push(what);
}

function cancel(world: World): void {
  const isOpen = world.users.some(
    ({ messages, isDone }) => messages.some(({ status }) => status === 'pending') || !isDone,
  );
  if (!isOpen) return;
  world.isCanceled = true;
  for (const message of world.users.flatMap(({ messages }) => messages))
    if (message.status === 'pending') message.status = 'canceled';
}

const LADDER = ['sent', 'delivered', 'seen', 'read'];

function isProven({ messages }: User, unless: Unless): boolean {
  if (unless === null) return false;
  return messages.some(
    ({ status, known }, i) =>
      status === 'sent' &&
      // What is in the inbox was delivered.
      [...known, 'sent', ...(i === 0 ? ['delivered'] : [])].some(
        (each) => LADDER.indexOf(each) >= LADDER.indexOf(unless),
      ),
  );
}

/** Everything that is due now happens. */
function settle(world: World): void {
  if (!world.isOn || world.isCanceled) return;
  for (const user of world.users) {
    for (const message of user.messages)
      if (message.status === 'pending' && message.next <= world.now) send(world, user, message);
    for (let goesOn = true; goesOn;) goesOn = follow(world, user);
  }
}

/** Takes the next step of a user, if it is due. Evidence counts when it is looked for. */
function follow(world: World, user: User): boolean {
  const { steps, now } = world;
  const place = user.messages.length;
  const next = steps[place];
  const last = user.messages[place - 1];
  if (!next) user.isDone = true;
  if (user.isDone || !next || !last) return false;
  if (last.status === 'pending' || last.at + next.after > now) return false;
  if (isProven(user, next.unless)) {
    user.isDone = true;
    return false;
  }
  user.messages.push(newMessage(world, user));
  return true;
}

function newMessage(world: World, user: User): Message {
  const message: Message = { status: 'pending', at: world.now, next: world.now, known: [] };
  send(world, user, message);
  return message;
}

function send({ answer, now }: World, { locked }: User, message: Message): void {
  // Of a message that is not tried again, the last attempt counts.
  if (locked) {
    message.status = 'locked';
    return;
  }
  message.at = now;
  if (answer === 'later') message.next = now + PAUSE;
  else message.status = answer === 'ok' ? 'sent' : 'dead';
}
