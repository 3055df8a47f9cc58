import { durationText } from '../../../platform/field/duration.js';
import type { Decision } from '../../../rules/ruleset/decide.js';
import type { Evidence, Rule } from '../../../rules/ruleset/rule.js';
import { laterSteps } from '../../../rules/step/later-steps.js';
import type { LaterStep } from '../../../rules/step/later-steps.js';
import type { Resolution } from '../../../rules/thread/resolution.js';
import { listed, moment } from '../explain-sentence.js';
import type { AcknowledgementFacts, DeliveryFacts } from '../explain-facts.js';
import { found, notSent } from '../explain-finding.js';
import type { Finding } from '../explain-finding.js';

interface StepCase {
  rule: Rule;
  decision: Decision;
  /** Of the user and this rule. */
  deliveries: DeliveryFacts[];
  /** The first of anyone, and the user's own. */
  acknowledgements: AcknowledgementFacts[];
  /** The trigger that ended the steps, if one did. */
  resolution: Pick<Resolution, 'occurrence' | 'at'> | undefined;
  /** Whether later steps may still send something. */
  isOpen: boolean;
}

/**
 * Why a user has no delivery over the channel of a later step; null: the user has none of the first step either, and what holds for the first holds
 * for all.
 */
export function ofStep(channel: number, about: StepCase): Finding | null {
  const { rule, decision, deliveries, resolution, isOpen } = about;
  const steps = laterSteps(rule, decision);
  const step = steps.find(({ channels }) => channels.includes(channel));
  const next = nextOf(steps, deliveries);
  if (!step || !next) return null;
  const known = deliveries.filter((delivery) => isBefore(next, steps, rule, deliveries, delivery));
  const proof = next.unless && proofOf(next.unless, known);
  const { number, unless } = step;
  if (proof) {
    const why = `${DONE[next.unless!]} over ${proof.slug ?? 'a deleted channel'}${proof.at ? ` at ${moment(proof.at)}` : ''}`;
    return notSent('step_ended', why, {
      evidence: { step: number, unless: next.unless, over: proof.slug, at: proof.at },
    });
  }
  const acknowledged = next.unless && acknowledgementFor(about);
  if (acknowledged) {
    const { user, at, way } = acknowledged;
    return notSent('step_ended', `${user} acknowledged it before over ${way} at ${moment(at)}`, {
      evidence: { step: number, unless: next.unless, over: way, at, acknowledged_by: user },
    });
  }
  if (resolution) {
    const { occurrence, at } = resolution;
    return notSent('step_ended', `the occurrence ${occurrence} resolved the thread at ${moment(at)}`, {
      evidence: { step: number, resolved_by: occurrence, at },
    });
  }
  if (!isOpen) return notSent('step_ended', 'the steps of the notification are over', { evidence: { step: number } });
  const due = step === next ? dueAt(next, known, rule, deliveries) : null;
  const time = due ? `at ${moment(due)}` : `${durationText(step.after)} after step ${number - 1}`;
  return found('waiting', `step ${number} follows ${time}${unless ? `, unless ${untilThen(unless, rule)}` : ''}`, {
    evidence: { step: number, after: durationText(step.after), unless, due_at: due },
    evaluated: 'now',
  });
}

const DONE: Record<Evidence, string> = {
  sent: 'the message was sent before',
  delivered: 'the message was delivered before',
  seen: 'the user had seen the message before',
  read: 'the user had read the message before',
  acknowledged: 'the message was acknowledged before',
};

const UNTIL_THEN: Record<Evidence, string> = {
  sent: 'a message is sent by then',
  delivered: 'a message is delivered by then',
  seen: 'the user has seen the message by then',
  read: 'the user has read the message by then',
  acknowledged: 'somebody has acknowledged it by then',
};

const untilThen = (unless: Evidence, rule: Rule) =>
  unless === 'acknowledged' && isForEach(rule) ? 'the user has acknowledged it by then' : UNTIL_THEN[unless];

const isForEach = ({ acknowledge }: Rule) => acknowledge?.by === 'each';

/** The acknowledgement that ends the steps for the user, whatever evidence a step asks for. */
const acknowledgementFor = ({ rule, acknowledgements }: StepCase) =>
  acknowledgements.find(({ isOwn }) => isOwn || !isForEach(rule));

/** The first step that the user has not taken, if they are in the step before it. */
function nextOf(steps: LaterStep[], deliveries: DeliveryFacts[]): LaterStep | undefined {
  const has = (channels: number[]) => deliveries.some(({ channel, isRoom }) => !isRoom && channels.includes(channel));
  return steps.find(({ before, channels }) => has(before) && !has(channels));
}

/** The channel whose step a delivery belongs to: a fallback without a step belongs to the delivery whose place it takes. */
function originOf(delivery: DeliveryFacts, { steps = [] }: Pick<Rule, 'steps'>, all: DeliveryFacts[]): number {
  const { channel, fallbackOf } = delivery;
  if (fallbackOf === null || steps.some(({ channels }) => channels.includes(channel))) return channel;
  const before = all.find(({ id }) => id === fallbackOf);
  return before ? originOf(before, { steps }, all) : channel;
}

function isBefore(next: LaterStep, steps: LaterStep[], rule: Rule, all: DeliveryFacts[], delivery: DeliveryFacts) {
  const coming = steps.filter(({ number }) => number >= next.number).flatMap(({ channels }) => channels);
  return !delivery.isRoom && !coming.includes(originOf(delivery, rule, all));
}

const DELIVERED = ['delivered', 'seen', 'complained'];
const SEEN = ['seen', 'complained'];

/** The first message about which so much is known, and since when. The same as `takeStep` does for many users. */
function proofOf(unless: Evidence, deliveries: DeliveryFacts[]): { slug: string | null; at: Date | null } | null {
  for (const { slug, status, report, reportAt, attemptAt, inbox } of deliveries) {
    if (unless === 'sent' && status === 'sent') return { slug, at: attemptAt };
    if (unless === 'delivered' && report && DELIVERED.includes(report)) return { slug, at: reportAt };
    if (unless === 'seen' && report && SEEN.includes(report)) return { slug, at: reportAt };
    if (status !== 'sent' || !inbox) continue;
    const at = unless === 'delivered' ? inbox.at : unless === 'seen' ? inbox.seenAt : inbox.readAt;
    if (unless !== 'sent' && at) return { slug, at: new Date(at) };
  }
  return null;
}

/** When a step is due for the user; null: the step before still waits to be sent. */
function dueAt({ before, after }: LaterStep, known: DeliveryFacts[], rule: Rule, all: DeliveryFacts[]): Date | null {
  const own = known.filter((delivery) => before.includes(originOf(delivery, rule, all)));
  const times = (those: DeliveryFacts[]) => those.map(({ attemptAt, since }) => Number(attemptAt ?? since));
  const sent = times(own.filter(({ status }) => status === 'sent'));
  if (sent.length === 0 && own.some(({ status }) => status === 'pending')) return null;
  const from = sent.length > 0 ? Math.min(...sent) : Math.max(...times(own));
  return new Date(from + after * 1000);
}

/** What follows the first step, for everyone: `then over mail after 10m, unless read`. */
export function thenOf(rules: Rule[], decision: Decision): string[] {
  // An occurrence from before there were rulesets has none.
  const rule = rules.find(({ id }) => id === decision.notification) ?? {};
  const slugOf = (id: number) => decision.channels.find(({ channel }) => channel === id)?.slug ?? '';
  return laterSteps(rule, decision).map(
    ({ channels, after, unless }) =>
      `then over ${listed(channels.map(slugOf))} after ${durationText(after)}${unless ? `, unless ${unless}` : ''}`,
  );
}
