import { isDeepStrictEqual } from 'node:util';
import type { Quotas } from '../../platform/config/quota.js';
import { differencesOf } from '../../platform/database/put-row.js';
import type { Difference } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { keysOf } from '../../rules/language/messages.js';
import type { Messages } from '../../rules/language/messages.js';
import { renewRulesets } from '../notification/renew-ruleset.js';
import { FRAGMENTS_WITH_KEYS, LOCK_MESSAGES, USERS_OF_KEYS } from './messages.sql.js';

/** A change renews the ruleset of each event that uses a changed message, in one transaction: about 2 ms each. A file has no such limit. */
const MAX_TEMPLATES = 2_000;

/** The most templates that an error names. */
const MAX_NAMED = 10;

interface PutMessages {
  /** For organizations without quotas of their own. */
  quotas: Quotas;
  /** Whether messages that are left out are kept. */
  keep?: boolean;
  /** How many templates may use changed messages. Left out: 2,000. */
  most?: number;
}

interface KeyUser {
  event: number;
  name: string;
  channel: string;
  /** Those that it uses itself. */
  keys: string[];
}

interface FragmentWithKeys {
  kind: string;
  slug: string;
  keys: string[];
}

/** Replaces the messages of a project, and renews the rulesets that use changed ones. Refuses to delete messages that are used. */
export async function putMessages(
  tx: Transaction,
  projectId: number,
  given: Messages,
  { quotas, keep = false, most = MAX_TEMPLATES }: PutMessages,
): Promise<{ differences: Difference[]; messages: Messages } | { errors: FieldErrors }> {
  const [row] = await tx.$queryRawUnsafe<{ messages: Messages | null }[]>(LOCK_MESSAGES, projectId);
  const before = row?.messages ?? {};
  const after = keep ? withOld(before, given) : given;
  const differences = differencesOf(flat(before), flat(after));
  if (differences.length === 0) return { differences, messages: after };
  const changed = changedKeys(before, after);
  const users = await tx.$queryRawUnsafe<KeyUser[]>(
    USERS_OF_KEYS,
    projectId,
    changed,
    Number.isFinite(most) ? most + 1 : null,
  );
  const fragments = await tx.$queryRawUnsafe<FragmentWithKeys[]>(FRAGMENTS_WITH_KEYS, projectId, changed);
  const errors = users.length > most ? TOO_MANY : lostErrors(users, fragments, keysOf(after));
  if (errors) return { errors };
  await tx.project.update({ where: { id: projectId }, data: { messages: after } });
  const events = [...new Set(users.map(({ event }) => event))]; // in their order: the statement sorts them
  const excess = await renewRulesets(tx, events, quotas, most);
  if (excess) return { errors: { messages: [fieldError('too_large', excess.detail)] } };
  return { differences, messages: after };
}

const TOO_MANY: FieldErrors = {
  messages: [
    fieldError(
      'too_many',
      `change messages that more than ${MAX_TEMPLATES} templates use: change fewer at a time, or make the change in a file, and run carillon apply`,
    ),
  ],
};

/** Errors about messages that are used and would be deleted. */
function lostErrors(users: KeyUser[], fragments: FragmentWithKeys[], left: ReadonlySet<string>): FieldErrors | null {
  const without = ({ keys }: { keys: string[] }) => keys.filter((key) => !left.has(key));
  const lost = [
    ...users.flatMap((user) =>
      without(user).map(
        (key) => `has no ${key}, which ${user.name} uses (${user.channel}): keep it, or change the template first`,
      ),
    ),
    ...fragments.flatMap((fragment) =>
      without(fragment).map(
        (key) =>
          `has no ${key}, which the ${fragment.kind} ${fragment.slug} uses: keep it, or change the ${fragment.kind} first`,
      ),
    ),
  ];
  return lost.length > 0
    ? { messages: lost.slice(0, MAX_NAMED).map((sentence) => fieldError('conflict', sentence)) }
    : null;
}

const flat = (messages: Messages): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([language, texts]) =>
      Object.entries(texts).map(([key, text]) => [`messages.${language}.${key}`, text]),
    ),
  );

function changedKeys(before: Messages, after: Messages): string[] {
  const languages = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isSame = (key: string) =>
    languages.every((language) => isDeepStrictEqual(before[language]?.[key], after[language]?.[key]));
  return [...new Set([...keysOf(before), ...keysOf(after)])].filter((key) => !isSame(key));
}

/** The new messages, and the old ones with keys that are not among them. */
function withOld(before: Messages, after: Messages): Messages {
  const keys = keysOf(after);
  const merged: Record<string, Messages[string]> = {};
  for (const language of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const kept = Object.entries(before[language] ?? {}).filter(([key]) => !keys.has(key));
    const texts = { ...Object.fromEntries(kept), ...after[language] };
    if (Object.keys(texts).length > 0) merged[language] = texts;
  }
  return merged;
}
