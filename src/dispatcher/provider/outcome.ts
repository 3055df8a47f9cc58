import { matches, valueIn } from '../../platform/field/expression/when.js';
import type { CompiledWhen } from '../../platform/field/expression/when.js';
import { RuleError, StepBudget } from '../../platform/field/expression/when-value.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf, retryOf } from '../answer/http-outcome.js';
import { answerOf } from '../answer/answer.js';
import { retryAfterSeconds } from '../answer/retry-after.js';
import type { Outcome } from '../dispatcher.js';
import type { OutcomeEntry, ProviderFile } from './provider.js';
import type { Variables } from './value.js';

/** Providers' errors are much shorter. What is stored is shorter still. */
export const READ_BYTES = 64 * 1024;

/** Enough for the 1 KB that is stored. */
export const SHOWN_LENGTH = 4096;

/** What conditions on an answer see. */
export function answerScope({ status, headers, text }: HttpAnswer, settings: Variables): Variables {
  return { status, headers, text, body: parsed(text), settings };
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Whether a condition holds. One that fails on this answer does not. */
export function holds(when: CompiledWhen, scope: Variables, budget?: StepBudget): boolean {
  try {
    return matches(when, scope, budget);
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}

/**
 * The entry that decides; undefined: the status does. Redirects are never followed, so no entry can take one for a success. A success whose body was
 * cut stays one: the provider took the message, and an entry that misses something in the body would send it again.
 */
export function entryFor(
  provider: Pick<ProviderFile, 'outcomes'>,
  scope: Variables,
  isCut = false,
): OutcomeEntry | undefined {
  const status = Number(scope.status);
  if (status >= 300 && status < 400) return undefined;
  const budget = new StepBudget(); // for all entries together: customers write some of these files
  const onlySent = isCut && status < 300;
  return provider.outcomes.find(({ when, then }) => (!onlySent || then === 'sent') && holds(when, scope, budget));
}

/** What an answer means, and the entry that says so; undefined: its status does. */
interface ReadAnswer {
  outcome: Outcome;
  entry: OutcomeEntry | undefined;
}

export function readAnswer(
  provider: Pick<ProviderFile, 'outcomes'>,
  answer: HttpAnswer,
  settings: Variables,
  secrets: readonly string[],
): ReadAnswer {
  const scope = answerScope(answer, settings);
  const entry = entryFor(provider, scope, answer.isCut);
  return { entry, outcome: outcomeFor(entry, answer, scope, secrets) };
}

function outcomeFor(
  entry: OutcomeEntry | undefined,
  answer: HttpAnswer,
  scope: Variables,
  secrets: readonly string[],
): Outcome {
  const now = new Date();
  const shown = { ...answer, text: answer.text.slice(0, SHOWN_LENGTH) };
  if (!entry) return outcomeOf(shown, secrets, now);
  const text = answerOf(`${shown.status} ${entry.advice === null ? '' : `${entry.advice}. `}${shown.text}`, secrets);
  if (entry.then === 'sent') return { kind: 'sent', answer: text, ...idOf(entry, scope) };
  if (entry.then === 'rejected')
    return {
      ...{ kind: 'rejected', answer: text, fault: entry.fault },
      ...(entry.cause ? { cause: entry.cause } : {}),
      ...goneAt(entry, scope),
      ...setsAside(entry),
    };
  const asked = entry.retryAfter === null ? null : Number(foundIn(entry.retryAfter, scope) ?? NaN);
  const header = Number.isFinite(asked) ? String(Math.max(0, Math.ceil(asked!))) : answer.headers['retry-after'];
  const retry = retryOf(text, retryAfterSeconds(header, now), entry.slowDown);
  return entry.about && retry.kind === 'retry' ? { ...retry, about: entry.about, ...setsAside(entry) } : retry;
}

const setsAside = (entry: OutcomeEntry): { setsAside?: true } => (entry.setsAside ? { setsAside: true } : {});

/** A time that is no time is left out: then the device is gone now. */
function goneAt({ goneAt: expression }: OutcomeEntry, scope: Variables): { goneAt?: Date } {
  const at = expression === null ? null : foundIn(expression, scope);
  return typeof at === 'number' && Math.abs(at) <= 8.64e15 ? { goneAt: new Date(at) } : {};
}

function idOf({ providerId }: OutcomeEntry, scope: Variables): { providerId?: string } {
  const id = providerId === null ? null : foundIn(providerId, scope);
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? { providerId: String(id) } : {};
}

export function foundIn(expression: CompiledWhen, scope: Variables, budget?: StepBudget): unknown {
  try {
    return valueIn(expression, scope, budget);
  } catch (error) {
    if (error instanceof RuleError) return null;
    throw error;
  }
}
