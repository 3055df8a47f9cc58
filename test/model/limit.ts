/**
 * One person and one rule with a limit, as a pure model: which messages are sent, and which are kept back. It knows nothing of jobs, workers and
 * SQL: after each command, everything that may happen has happened, the oldest message first.
 */
export type Answer = 'ok' | 'later' | 'never';
export type Status = 'waits' | 'tried' | 'sent' | 'dead' | 'canceled' | 'capped';

export interface Message {
  status: Status;
  /** The week in which it has a place; null: it has none. */
  place: number | null;
}

export interface World {
  count: number;
  isNight: boolean;
  week: number;
  answer: Answer;
  messages: Message[];
}

/** `message` is a place in the list of messages, which is walked in a circle. */
export type Command =
  | { do: 'trigger' | 'night' | 'morning' | 'a week passes' | 'retries are due' }
  | { do: 'answer'; answer: Answer }
  | { do: 'cancel' | 'retry'; message: number };

export const newWorld = (count: number): World => ({ count, isNight: false, week: 0, answer: 'ok', messages: [] });

export const at = <T>(list: T[], place: number): T | undefined => list[place % Math.max(list.length, 1)];

export function step(world: World, command: Command): void {
  switch (command.do) {
    case 'trigger':
      return arrive(world, world.messages[world.messages.push({ status: 'waits', place: null }) - 1]!);
    case 'night':
      world.isNight = true;
      return;
    case 'morning':
      world.isNight = false;
      return all(world, 'waits').forEach((message) => send(world, message));
    case 'a week passes':
      world.week++;
      return;
    case 'retries are due':
      return world.isNight ? undefined : all(world, 'tried').forEach((message) => send(world, message));
    case 'answer':
      world.answer = command.answer;
      return;
    default:
      return steer(world, command.do, at(world.messages, command.message));
  }
}

const all = ({ messages }: World, status: Status) => messages.filter((message) => message.status === status);

function steer(world: World, how: 'cancel' | 'retry', message: Message | undefined): void {
  if (how === 'cancel' && message && ['waits', 'tried'].includes(message.status)) message.status = 'canceled';
  if (how === 'retry' && message?.status === 'dead') {
    message.place = null;
    arrive(world, message);
  }
}

function arrive(world: World, message: Message): void {
  message.status = 'waits';
  if (!world.isNight) send(world, message);
}

/** The first attempt takes a place. What is dead or canceled needs none. */
function send(world: World, message: Message): void {
  const { count, week, answer, messages } = world;
  const taken = messages.filter(({ place, status }) => place === week && status !== 'dead' && status !== 'canceled');
  if (message.place === null && taken.length >= count) {
    message.status = 'capped';
    return;
  }
  message.place ??= week;
  message.status = answer === 'ok' ? 'sent' : answer === 'never' ? 'dead' : 'tried';
}
