import type { ChosenBy } from '../../../platform/database/generated/prisma/enums.js';
import { sqlArray } from '../../../platform/database/transaction.js';
import type { SqlTransaction } from '../../../platform/database/transaction.js';
import { unknownField } from '../../../platform/field/error/closest.js';
import { MAX_NAMED, fieldError, hasErrors } from '../../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../../platform/field/error/field-error.js';
import { isObject } from '../../../platform/field/is-object.js';
import { lengthOf } from '../../../platform/field/text-length.js';
import { MAX_MUTED } from '../../../rules/ruleset/choices.js';
import type { MuteThreadDto, MutedThreadDto } from './mute.dto.js';
import {
  FIND_APPLICATIONS,
  FORGET_OLDEST,
  MUTED_THREADS,
  MUTE_THREADS,
  UNMUTE_IDS,
  UNMUTE_THREADS,
} from './mute.sql.js';

/** A thread that a user has muted. */
export interface MutedThread extends Pick<MutedThreadDto, 'application' | 'thread' | 'value'> {
  id: number;
  applicationName: string;
  chosenAt: Date;
  chosenBy: ChosenBy;
  endsAt: Date;
}

interface MuteOwner {
  organizationId: number;
  userId: number;
}

/** A thread by its application. */
export interface ThreadOf {
  application: number;
  field: string;
  value: string;
}

/** What a user has muted. Project and application: only theirs. */
export const mutedThreads = (
  client: Pick<SqlTransaction, '$queryRawUnsafe'>,
  userId: number,
  projectId: number | null = null,
  applicationId: number | null = null,
): Promise<MutedThread[]> => client.$queryRawUnsafe<MutedThread[]>(MUTED_THREADS, userId, projectId, applicationId);

export const mutedThreadDto = ({
  application,
  thread,
  value,
  chosenAt,
  chosenBy,
  endsAt,
}: MutedThread): MutedThreadDto => ({
  ...{ application, thread, value },
  chosen_at: chosenAt.toISOString(),
  chosen_by: chosenBy,
  ends_at: endsAt.toISOString(),
});

/** Mutes threads, or ends that. The oldest above the most that a user may mute end. The caller has locked the user. */
export async function muteThreads(
  tx: SqlTransaction,
  owner: MuteOwner,
  threads: readonly ThreadOf[],
  chosenBy: ChosenBy | null,
): Promise<void> {
  if (threads.length === 0) return;
  const { organizationId, userId } = owner;
  const values = [organizationId, userId, ...columnsOf(threads)];
  if (chosenBy === null) return void (await tx.$executeRawUnsafe(UNMUTE_THREADS, ...values));
  await tx.$executeRawUnsafe(MUTE_THREADS, ...values, chosenBy);
  await tx.$executeRawUnsafe(FORGET_OLDEST, userId);
}

/** Ends those that a page has shown. */
export async function unmute(tx: SqlTransaction, owner: MuteOwner, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.$executeRawUnsafe(UNMUTE_IDS, owner.organizationId, owner.userId, sqlArray(ids));
}

const columnsOf = (threads: readonly ThreadOf[]) => [
  sqlArray(threads.map(({ application }) => application)),
  sqlArray(threads.map(({ field }) => field)),
  sqlArray(threads.map(({ value }) => value)),
];

/** Stores what a request wants. Returns the errors of each field instead, if there are any. */
export async function putMutedThreads(
  tx: SqlTransaction,
  owner: MuteOwner,
  given: readonly unknown[],
  chosenBy: ChosenBy,
): Promise<FieldErrors | null> {
  const errors: FieldErrors = {};
  given.forEach((each, i) => check(each, `muted_threads[${i}]`, errors));
  if (hasErrors(errors)) return errors;
  const wanted = given as readonly MuteThreadDto[];
  const paths = [...new Set(wanted.map(({ application }) => application))];
  const rows = await tx.$queryRawUnsafe<{ id: number; path: string }[]>(
    FIND_APPLICATIONS,
    owner.organizationId,
    sqlArray(paths),
  );
  const idOf = new Map(rows.map(({ id, path }) => [path, id]));
  const threads = wanted.map(({ application, thread, value, muted = true }, i) => {
    const id = idOf.get(application);
    if (id === undefined) errors[`muted_threads[${i}].application`] = [NO_APPLICATION];
    return { application: id ?? 0, field: thread, value, muted };
  });
  if (hasErrors(errors)) return firstOf(errors);
  // A thread that comes twice: the last one counts.
  const last = [
    ...new Map(threads.map((each) => [JSON.stringify([each.application, each.field, each.value]), each])).values(),
  ];
  for (const isMuted of [true, false])
    await muteThreads(
      tx,
      owner,
      last.filter(({ muted }) => muted === isMuted),
      isMuted ? chosenBy : null,
    );
  return null;
}

const NO_APPLICATION = fieldError('not_found', 'must be project/application, such as shop/web');
const MAX_FIELD = 200;

const firstOf = (errors: FieldErrors): FieldErrors => Object.fromEntries(Object.entries(errors).slice(0, MAX_NAMED));

function check(value: unknown, place: string, errors: FieldErrors): void {
  if (Object.keys(errors).length >= MAX_NAMED) return;
  if (!isObject(value)) {
    errors[place] = [
      fieldError(
        'invalid_type',
        'must be an object such as { "application": "shop/web", "thread": "order.id", "value": "A-17" }',
      ),
    ];
    return;
  }
  for (const key of Object.keys(value).slice(0, MAX_NAMED)) {
    const problem = Object.hasOwn(FIELDS, key) ? null : unknownField(key, Object.keys(FIELDS));
    if (problem) errors[`${place}.${key}`] = [problem];
  }
  for (const [key, problemOf] of Object.entries(FIELDS)) {
    const problem = problemOf(value[key]);
    if (problem) errors[`${place}.${key}`] = [problem];
  }
}

const textOf = (max: number) => (value: unknown) =>
  typeof value === 'string' && value !== '' && lengthOf(value) <= max
    ? null
    : fieldError('invalid_type', `must be a text of 1 to ${max} characters`);

const FIELDS: Record<keyof MuteThreadDto, (value: unknown) => FieldError | null> = {
  application: textOf(MAX_FIELD),
  thread: textOf(MAX_FIELD),
  value: textOf(MAX_MUTED),
  muted: (value) =>
    value === undefined || typeof value === 'boolean' ? null : fieldError('invalid_type', 'must be true or false'),
};
