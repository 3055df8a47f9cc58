import type { ChosenBy } from '../../platform/database/generated/prisma/enums.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { findSubjects } from './find-subjects.js';
import type { FindSubject, PreferenceSubject } from './find-subjects.js';
import { storedChoices } from './preference.read.js';
import type { StoredChoice } from './preference.read.js';
import { PUT_CHOICES, REMOVE_CHOICES, SEND_DIGESTS } from './preference.sql.js';
import { FREQUENCY } from './read-choices.js';
import type { Wish } from './read-choices.js';

/** The most choices that are stored for one user. */
const MAX_CHOICES = 1000;
const TOO_MANY = `cannot be stored: a user can have ${MAX_CHOICES} choices. Remove some with null`;

/** What a user wants. */
export interface UserWishes {
  userId: number;
  wishes: (Wish | OwnWish)[];
}

/** A choice of the user about something that a page or a link has shown to them. */
export interface OwnWish extends Pick<Wish, 'type' | 'on' | 'frequency'> {
  subject: Pick<PreferenceSubject, 'categoryId' | 'eventId'>;
  /** Whether it also means the events of the category: they were not shown. */
  withEvents?: true;
}

interface PutOptions {
  chosenBy: ChosenBy;
  /** Whether choices that the wishes do not name are forgotten. */
  replace?: boolean;
}

/** A choice to store. */
type NewChoice = Pick<StoredChoice, 'userId' | 'categoryId' | 'eventId' | 'type' | 'isOn' | 'frequency'>;

/** How many choices changed. */
interface PutChoices {
  created: number;
  updated: number;
  removed: number;
}

/**
 * Merges wishes into what these users have chosen, inside the caller's transaction. A wish that changes nothing leaves no trace: the
 * choice keeps its time. Returns the errors of each user instead, if there are any.
 */
export async function putPreferences(
  tx: Transaction,
  organizationId: number,
  users: readonly UserWishes[],
  options: PutOptions,
): Promise<PutChoices | { refused: { userId: number; errors: FieldErrors }[] }> {
  const named = users.flatMap(({ wishes }) => wishes.filter((wish) => 'name' in wish));
  const find = await findSubjects(tx, organizationId, named);
  const ids = users.map(({ userId }) => userId);
  const stored = new Map<number, StoredChoice[]>(ids.map((userId) => [userId, []]));
  for (const choice of await storedChoices(tx, ids)) stored.get(choice.userId)!.push(choice);
  const plans = users.map((user) => planOf(user, stored.get(user.userId)!, find, options));
  const refused = plans.filter(({ errors }) => hasErrors(errors));
  if (refused.length > 0) return { refused };
  const [created, updated, removed] = (['created', 'updated', 'removed'] as const).map((kind) =>
    plans.flatMap((plan) => plan[kind]),
  ) as [NewChoice[], NewChoice[], NewChoice[]];
  const put = [...created, ...updated];
  if (removed.length > 0) await tx.$executeRawUnsafe(REMOVE_CHOICES, organizationId, ...columnsOf(removed));
  if (put.length > 0) {
    const on = sqlArray(put.map(({ isOn }) => isOn));
    const frequencies = sqlArray(put.map(({ frequency }) => frequency));
    await tx.$executeRawUnsafe(PUT_CHOICES, organizationId, ...columnsOf(put), on, frequencies, options.chosenBy);
  }
  const rescheduled = [...updated, ...removed].filter(({ type }) => type === FREQUENCY);
  if (rescheduled.length > 0) {
    const [users, categories] = columnsOf(rescheduled);
    await tx.$executeRawUnsafe(SEND_DIGESTS, organizationId, users, categories);
  }
  return { created: created.length, updated: updated.length, removed: removed.length };
}

const columnsOf = (choices: NewChoice[]) =>
  [
    choices.map(({ userId }) => userId),
    choices.map(({ categoryId }) => categoryId),
    choices.map(({ eventId }) => eventId),
    choices.map(({ type }) => type),
  ].map(sqlArray);

interface Plan {
  userId: number;
  errors: FieldErrors;
  created: NewChoice[];
  updated: NewChoice[];
  removed: NewChoice[];
}

function planOf({ userId, wishes }: UserWishes, stored: StoredChoice[], find: FindSubject, options: PutOptions): Plan {
  const plan: Plan = { userId, errors: {}, created: [], updated: [], removed: [] };
  const names = new Map<string, string>();
  const newFields: string[] = [];
  const kept = new Set<StoredChoice>();
  for (const wish of wishes) {
    if (!('name' in wish)) {
      for (const each of [wish, ...eventsOf(wish, stored)]) change(plan, stored, each);
      continue;
    }
    const { field, type, on, frequency, name } = wish;
    const subject = find(wish);
    const problem = 'problem' in subject ? subject.problem : otherName(names, subject, name);
    if ('problem' in subject || problem) {
      plan.errors[field] = [problem!];
      continue;
    }
    const verb = change(plan, stored, { subject, type, on, frequency }, kept);
    const refusal = subject.refusal ?? (frequency && refusalOf(subject, frequency));
    if (verb && refusal) plan.errors[field] = [fieldError('not_allowed', refusal)];
    if (verb === 'created') newFields.push(field);
  }
  if (options.replace) plan.removed = stored.filter((choice) => !kept.has(choice));
  const tooMany = stored.length + plan.created.length - plan.removed.length - MAX_CHOICES;
  // What a page shows is limited, and nobody is kept from unsubscribing.
  if (tooMany > 0)
    for (const field of newFields.slice(-tooMany)) plan.errors[field] ??= [fieldError('too_many', TOO_MANY)];
  return plan;
}

/** Why the messages of a category cannot come so often; undefined: they can. */
function refusalOf({ frequencies = [] }: PreferenceSubject, frequency: string): string | undefined {
  if (frequencies.includes(frequency)) return undefined;
  return frequencies.length === 0
    ? 'cannot be chosen: the messages of the category are always sent at once'
    : `cannot be ${frequency}: the category allows ${frequencies.join(', ')}`;
}

/** Adds one choice to the plan. Returns what it stores; undefined: nothing. `kept`: gets the stored choice that it is about. */
function change(
  plan: Plan,
  stored: StoredChoice[],
  { subject: { categoryId, eventId }, type, on, frequency: wanted }: OwnWish,
  kept?: Set<StoredChoice>,
): 'created' | 'updated' | undefined {
  const about = stored.filter((choice) => choice.categoryId === categoryId && choice.eventId === eventId);
  const same = about.find((choice) => choice.type === type);
  if (type === null) plan.removed.push(...about);
  else if (on === null) plan.removed.push(...(same ? [same] : []));
  else {
    if (same) kept?.add(same);
    const frequency = wanted ?? null;
    if (same?.isOn === on && same.frequency === frequency) return undefined;
    const verb = same ? 'updated' : 'created';
    plan[verb].push({ userId: plan.userId, categoryId, eventId, type, isOn: on, frequency });
    return verb;
  }
  return undefined;
}

/**
 * A choice about an event is more specific than one about its category, and would win. Whoever sees only the category means its events too: their
 * choices that say the opposite are changed.
 */
function eventsOf({ subject: { categoryId }, type, on, withEvents }: OwnWish, stored: StoredChoice[]): OwnWish[] {
  if (!withEvents || categoryId === null || on === null) return [];
  const opposite = stored.filter(
    (choice) =>
      choice.eventCategoryId === categoryId &&
      choice.isOn !== on &&
      (type === '' || choice.type === '' || choice.type === type),
  );
  const wishes = opposite.map(({ eventId, type: its }) => ({
    subject: { categoryId: null, eventId },
    type: type || its,
    on,
  }));
  return [...new Map(wishes.map((wish) => [`${wish.subject.eventId}/${wish.type}`, wish])).values()];
}

/** The same thing under two names, such as `news` and `shop/news`: which of them counts would be a guess. */
function otherName(
  names: Map<string, string>,
  { categoryId, eventId }: PreferenceSubject,
  name: string,
): FieldError | null {
  const key = `${categoryId}/${eventId}`;
  const first = names.get(key) ?? name;
  names.set(key, first);
  return first === name ? null : fieldError('duplicate', `means the same as ${first}: use one of the two names`);
}
