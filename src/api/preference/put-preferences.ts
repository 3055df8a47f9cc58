import type { ChosenBy } from '../../platform/database/generated/prisma/enums.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { findSubjects } from './find-subjects.js';
import type { FindSubject, PreferenceSubject } from './find-subjects.js';
import { PUT_CHOICES, REMOVE_CHOICES, STORED_CHOICES } from './preference.sql.js';
import type { Wish } from './read-choices.js';

/** The most choices that are stored for one user. */
const MAX_CHOICES = 1000;
const TOO_MANY = `cannot be stored: a user can have ${MAX_CHOICES} choices. Remove some with null`;

export interface UserWishes {
  userId: number;
  wishes: Wish[];
}

interface StoredChoice {
  userId: number;
  categoryId: number | null;
  eventId: number | null;
  /** Empty: every channel type. */
  type: string;
  on: boolean;
}

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
  people: readonly UserWishes[],
  chosenBy: ChosenBy,
): Promise<PutChoices | { refused: { userId: number; errors: FieldErrors }[] }> {
  const find = await findSubjects(
    tx,
    organizationId,
    people.flatMap(({ wishes }) => wishes),
  );
  const stored = new Map<number, StoredChoice[]>(people.map(({ userId }) => [userId, []]));
  for (const choice of await storedChoices(tx, people)) stored.get(choice.userId)!.push(choice);
  const plans = people.map((person) => planOf(person, stored.get(person.userId)!, find));
  const refused = plans.filter(({ errors }) => hasErrors(errors));
  if (refused.length > 0) return { refused };
  const [created, updated, removed] = (['created', 'updated', 'removed'] as const).map((kind) =>
    plans.flatMap((plan) => plan[kind]),
  ) as [StoredChoice[], StoredChoice[], StoredChoice[]];
  const put = [...created, ...updated];
  if (removed.length > 0) await tx.$executeRawUnsafe(REMOVE_CHOICES, organizationId, ...columnsOf(removed));
  if (put.length > 0) {
    const on = sqlArray(put.map((choice) => choice.on));
    await tx.$executeRawUnsafe(PUT_CHOICES, organizationId, ...columnsOf(put), on, chosenBy);
  }
  return { created: created.length, updated: updated.length, removed: removed.length };
}

const storedChoices = (tx: Transaction, people: readonly UserWishes[]) =>
  tx.$queryRawUnsafe<StoredChoice[]>(STORED_CHOICES, sqlArray(people.map(({ userId }) => userId)));

const columnsOf = (choices: StoredChoice[]) =>
  [
    choices.map(({ userId }) => userId),
    choices.map(({ categoryId }) => categoryId),
    choices.map(({ eventId }) => eventId),
    choices.map(({ type }) => type),
  ].map(sqlArray);

interface Plan {
  userId: number;
  errors: FieldErrors;
  created: StoredChoice[];
  updated: StoredChoice[];
  removed: StoredChoice[];
}

function planOf({ userId, wishes }: UserWishes, stored: StoredChoice[], find: FindSubject): Plan {
  const plan: Plan = { userId, errors: {}, created: [], updated: [], removed: [] };
  const names = new Map<string, string>();
  const newFields: string[] = [];
  for (const { field, type, on, ...named } of wishes) {
    const subject = find(named);
    const problem = 'problem' in subject ? subject.problem : otherName(names, subject, named.name);
    if ('problem' in subject || problem) {
      plan.errors[field] = [problem!];
      continue;
    }
    const { categoryId, eventId, refusal } = subject;
    const about = stored.filter((choice) => choice.categoryId === categoryId && choice.eventId === eventId);
    const same = about.find((choice) => choice.type === type);
    if (type === null) plan.removed.push(...about);
    else if (on === null) plan.removed.push(...(same ? [same] : []));
    else if (same?.on !== on) {
      if (refusal) plan.errors[field] = [fieldError('not_allowed', refusal)];
      (same ? plan.updated : plan.created).push({ userId, categoryId, eventId, type, on });
      if (!same) newFields.push(field);
    }
  }
  const tooMany = stored.length + plan.created.length - plan.removed.length - MAX_CHOICES;
  if (tooMany > 0)
    for (const field of newFields.slice(-tooMany)) plan.errors[field] ??= [fieldError('too_many', TOO_MANY)];
  return plan;
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
