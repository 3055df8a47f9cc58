import { FREQUENCIES } from '../../rules/frequency/category-digests.js';
import type { Frequency } from '../../rules/frequency/category-digests.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { noSuchType } from '../../dispatcher/no-such-type.js';
import { isObject } from '../../platform/field/is-object.js';
import { MAX_NAMED, fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';

/** On, off, or null: forget the choice. YAML 1.2 reads `off` as a text, JSON has booleans: both mean the same. */
export type Wanted = boolean | 'on' | 'off' | null;

/** How often; `at_once` and null: without delay, which nobody has to choose. */
type WantedFrequency = Frequency | 'at_once' | null;

/** Changes of what a user has chosen, as in a request and in a file. */
export interface ChoiceChanges {
  /** Everything over a channel type. */
  channels?: Record<string, Wanted>;
  /** For every channel type, or by channel type. */
  categories?: Record<string, Wanted | Record<string, Wanted | WantedFrequency>>;
  events?: Record<string, Wanted | Record<string, Wanted>>;
}

/** One change. */
export interface Wish {
  /** Its place in the request or the file, for errors. */
  field: string;
  about: 'channel' | 'category' | 'event';
  /** Of the category or the event. */
  name: string;
  /** The channel type; empty: all of them. Null: forget all choices about the category or the event. */
  type: string | null;
  /** Null: forget the choice. */
  on: boolean | null;
  /** With the type `frequency`, unless the choice is forgotten. */
  frequency?: Frequency;
}

/** Names every channel type, next to single ones: `{ all: off, inbox: on }`. */
export const ALL = 'all';

/** Says in the place of a channel type how often the messages of a category come. No channel type has this name. */
export const FREQUENCY = 'frequency';

export const AT_ONCE = 'at_once';

const VALUES = new Map<unknown, boolean | null>([
  ...([true, 'on'] as const).map((value) => [value, true] as const),
  ...([false, 'off'] as const).map((value) => [value, false] as const),
  [null, null],
]);

/** On or off as a request and a file say it; null: forget the choice, undefined: it says neither. */
export const wantedOf = (value: unknown): boolean | null | undefined => VALUES.get(value);

/** Reads all changes. Returns the errors of each field instead, if there are any. */
export function readChoices(
  { channels = {}, categories = {}, events = {} }: ChoiceChanges,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): { wishes: Wish[] } | { errors: FieldErrors } {
  const wishes: Wish[] = [];
  const errors: [string, FieldError[]][] = [];
  const refuse = (field: string, error: () => FieldError) => {
    if (errors.length < MAX_NAMED) errors.push([field, [error()]]);
  };
  const add = (wish: Omit<Wish, 'on'>, value: unknown, otherwise = 'must be on, off or null') => {
    const on = wantedOf(value);
    if (on === undefined) refuse(wish.field, () => fieldError('unknown_value', otherwise));
    else wishes.push({ ...wish, on });
  };
  const addOfType = (wish: Omit<Wish, 'on'> & { type: string }, value: unknown) => {
    if (dispatchers.has(wish.type)) add(wish, value);
    else refuse(wish.field, () => noSuchType(wish.type, dispatchers));
  };
  const addFrequency = (wish: Omit<Wish, 'on'>, value: unknown) => {
    const frequency = FREQUENCIES.find((each) => each === value);
    if (frequency) wishes.push({ ...wish, on: true, frequency });
    else if (value === AT_ONCE || value === null) wishes.push({ ...wish, on: null });
    else refuse(wish.field, () => fieldError('unknown_value', `must be ${AT_ONCE}, ${FREQUENCIES.join(', ')} or null`));
  };
  for (const [type, value] of Object.entries(channels))
    addOfType({ field: `channels.${type}`, about: 'channel', name: '', type }, value);
  for (const [about, group, named] of [
    ['category', 'categories', categories],
    ['event', 'events', events],
  ] as const) {
    for (const [name, value] of Object.entries<unknown>(named)) {
      const field = `${group}.${name}`;
      if (!isObject(value) || Object.keys(value).length === 0)
        add({ field, about, name, type: value === null ? null : '' }, value, OR_BY_TYPE);
      else
        for (const [type, each] of Object.entries(value)) {
          const wish = { field: `${field}.${type}`, about, name, type };
          if (type === ALL) add({ ...wish, type: '' }, each);
          else if (type === FREQUENCY && about === 'category') addFrequency(wish, each);
          else addOfType(wish, each);
        }
    }
  }
  return errors.length > 0 ? { errors: Object.fromEntries(errors) } : { wishes };
}

const OR_BY_TYPE = 'must be on, off or null, or name channel types, such as { "email": "off" }';
