import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { DeviceOutcome, DeviceResult } from '../../rules/device/device-result.js';
import type { DroppedDevice, Result } from '../outcome/result.js';
import type { TargetDevice } from './target-devices.js';

/** The answer of a provider about one device. */
export interface DeviceAnswer {
  device: TargetDevice;
  outcome: Outcome;
  at: Date;
}

/** What an answer means for its device. */
export function meaningOf({ device, outcome }: DeviceAnswer): DeviceOutcome {
  if (outcome.kind === 'sent') return 'sent';
  if (outcome.setsAside) return 'set_aside';
  if (outcome.kind === 'retry' || outcome.fault === 'channel') return 'retry';
  if (outcome.fault === 'recipient' && outcome.cause === undefined) return 'set_aside';
  // The app has registered it again since.
  if (outcome.fault === 'device') return outcome.goneAt && outcome.goneAt < device.seenAt ? 'rejected' : 'gone';
  return 'rejected';
}

/** The results so far, with those of new answers in their place. */
export function mergeResults(before: readonly DeviceResult[], answers: readonly DeviceAnswer[]): DeviceResult[] {
  const results = new Map(before.map((result) => [result.id, result]));
  for (const answer of answers) {
    const { id, app, device, platform, name } = answer.device;
    const outcome = meaningOf(answer);
    results.set(id, {
      ...{ id, app, device, platform, name, outcome },
      ...{ answer: answer.outcome.answer, at: answer.at.toISOString() },
    });
  }
  return [...results.values()];
}

/**
 * The one outcome of an attempt to several devices. As long as one may take the message later, it is tried again. Otherwise it is sent if one took it, in
 * this attempt or before, and else dead. No address of the user is suppressed.
 */
export function outcomeOfAll(answers: readonly DeviceAnswer[], results: readonly DeviceResult[]): Outcome {
  const taken = results.filter(({ outcome }) => outcome === 'sent');
  const waiting = answers.filter((answer) => meaningOf(answer) === 'retry').map(({ outcome }) => outcome);
  const answer = answerOfAll(answers, results, taken.length);
  if (waiting.length > 0) {
    if (waiting.some(({ kind }) => kind === 'rejected')) return { kind: 'rejected', fault: 'channel', answer };
    const retries = waiting.filter((outcome) => outcome.kind === 'retry');
    const seconds = retries.flatMap(({ afterSeconds }) => afterSeconds ?? []);
    return {
      ...{ kind: 'retry', answer },
      ...(seconds.length > 0 ? { afterSeconds: Math.max(...seconds) } : {}),
      ...(retries.every(({ isSlowDown }) => isSlowDown) ? { isSlowDown: true } : {}),
      ...(retries.some(({ mayHaveArrived }) => mayHaveArrived) ? { mayHaveArrived: true } : {}),
    };
  }
  if (taken.length === 0) {
    const isLocal = answers.every(({ outcome }) => outcome.kind === 'rejected' && outcome.isLocal);
    return { kind: 'rejected', fault: 'message', answer, ...(isLocal ? { isLocal: true } : {}) };
  }
  const providerId = answers
    .map(({ outcome }) => (outcome.kind === 'sent' ? outcome.providerId : undefined))
    .find(Boolean);
  return { kind: 'sent', answer, ...(providerId === undefined ? {} : { providerId }) };
}

/** The words of the provider about one device: the first that did not take it, if there is one. */
function answerOfAll(answers: readonly DeviceAnswer[], results: readonly DeviceResult[], taken: number): string {
  const shown = answers.find(({ outcome }) => outcome.kind !== 'sent') ?? answers[0]!;
  const { answer } = shown.outcome;
  return results.length === 1 ? answer : `${taken} of ${results.length} devices took it; ${answer}`;
}

/** The devices of an attempt that get nothing more: `problem` is null for those that are gone. */
export function droppedBy(answers: readonly DeviceAnswer[]): DroppedDevice[] | undefined {
  const dropped = answers.flatMap((answer) => {
    const meaning = meaningOf(answer);
    if (meaning !== 'gone' && meaning !== 'set_aside') return [];
    const { addressId: address, address: value, seenAt } = answer.device;
    const problem = meaning === 'gone' ? null : answer.outcome.answer || 'refused';
    return [{ address, value, problem, seenAt }];
  });
  return dropped.length > 0 ? dropped : undefined;
}

/** A message that one device took is sent, whatever ends the attempts for the others. The trigger `sent_to_a_device` says the same of statements. */
export function asTaken(result: Result): Result {
  if (result.status !== 'dead' && result.status !== 'skipped') return result;
  return { ...result, status: 'sent', gate: null, reason: null, fallsBack: false };
}
