import { durationText } from '../../../platform/field/duration.js';
import type { Evidence } from '../../../rules/ruleset/rule.js';
import type { LaterStep } from '../../../rules/step/later-steps.js';
import { found, notSent } from '../explain-finding.js';
import type { Finding } from '../explain-finding.js';
import { endedForAll } from './of-step.js';
import type { StepCase } from './of-step.js';
import type { StepProof } from './step-proof.sql.js';

const DONE: Record<Evidence, (user: string) => string> = {
  sent: (user) => `a message was sent to ${user} before`,
  delivered: (user) => `a message was delivered to ${user} before`,
  seen: (user) => `${user} had seen the message before`,
  read: (user) => `${user} had read the message before`,
  acknowledged: (user) => `${user} had acknowledged it before`,
};

const UNTIL_THEN: Record<Evidence, string> = {
  sent: 'a message is sent to somebody by then',
  delivered: 'a message is delivered to somebody by then',
  seen: 'somebody has seen the message by then',
  read: 'somebody has read the message by then',
  acknowledged: 'somebody has acknowledged it by then',
};

/** Why a user of a step with its own users has no delivery of it: nobody has one. */
export function ofOwnUsers(step: LaterStep, proof: StepProof | null, about: StepCase): Finding {
  const { number, unless } = step;
  const ended = endedForAll(number, step, about);
  if (ended) return ended;
  if (proof && unless) {
    const why = `${DONE[unless](proof.user ?? 'a deleted user')} over ${proof.slug ?? 'a deleted channel'}`;
    return notSent('step_ended', why, { evidence: { step: number, unless, over: proof.slug, user: proof.user } });
  }
  return about.isOpen ? follows(step) : over(number);
}

/** The same of a step that goes on with the users of one with its own. */
export const ofNobodyYet = (step: LaterStep, { isOpen }: StepCase): Finding =>
  isOpen ? follows(step) : over(step.number);

const over = (number: number) =>
  notSent('step_ended', 'the steps of the notification are over', { evidence: { step: number } });

function follows({ number, after, unless, repeatsBefore, to }: LaterStep): Finding {
  const before = number > 1 ? `step ${number - 1}${repeatsBefore > 0 ? ' and its repetitions' : ''}` : 'the trigger';
  const words = unless && to ? `, unless ${UNTIL_THEN[unless]}` : '';
  return found('waiting', `step ${number} follows ${durationText(after)} after ${before}${words}`, {
    evidence: { step: number, after: durationText(after), unless },
    evaluated: 'now',
  });
}
