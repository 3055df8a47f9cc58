import { durationText } from '../../../platform/field/duration.js';
import type { Decision } from '../../../rules/ruleset/decide.js';
import type { Evidence, Rule } from '../../../rules/ruleset/rule.js';
import { lapseOf } from '../../../rules/step/lapse.js';
import { laterSteps } from '../../../rules/step/later-steps.js';
import type { LaterStep } from '../../../rules/step/later-steps.js';
import type { Resolution } from '../../../rules/thread/resolution.js';
import { listed, moment } from '../explain-sentence.js';
import type { AcknowledgementFacts, DeliveryFacts } from '../explain-facts.js';
import { found, notSent } from '../explain-finding.js';
import type { Finding } from '../explain-finding.js';

export interface StepCase {
  rule: Rule;
  decision: Decision;
  /** Of the user and this rule. */
  deliveries: DeliveryFacts[];
  /** The first of anyone, the last of anyone, and the user's own. */
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
  const { rule, decision, isOpen } = about;
  const steps = laterSteps(rule, decision);
  const step = steps.find(({ channels }) => channels.includes(channel));
  const next = nextOf(steps, about);
  if (!step || !next) return null;
  const { number, unless } = step;
  const end = endOf(next, number, about);
  if (end) return end;
  if (!isOpen) return notSent('step_ended', 'the steps of the notification are over', { evidence: { step: number } });
  const due = step === next ? dueAt(next, about) : null;
  const before = `step ${number - 1}${step.repeatsBefore > 0 ? ' and its repetitions' : ''}`;
  const time = due ? `at ${moment(due)}` : `${durationText(step.after)} after ${before}`;
  return found('waiting', `step ${number} follows ${time}${unless ? `, unless ${untilThen(unless, rule)}` : ''}`, {
    evidence: { step: number, after: durationText(step.after), unless, due_at: due },
    evaluated: 'now',
  });
}

/** Why the steps of the user end before the next one; null: they do not. `number`: the step that is asked about. */
function endOf(next: LaterStep, number: number, about: StepCase): Finding | null {
  const { unless } = next;
  const proof = unless && proofOf(unless, knownBefore(next, about));
  if (proof) {
    const why = `${DONE[unless]} over ${proof.slug ?? 'a deleted channel'}${proof.at ? ` at ${moment(proof.at)}` : ''}`;
    return notSent('step_ended', why, { evidence: { step: number, unless, over: proof.slug, at: proof.at } });
  }
  return endedForAll(number, next, about);
}

/** The finding for a step that an acknowledgement or a later trigger made unnecessary; null: none did. */
export function endedForAll(number: number, { unless }: LaterStep, about: StepCase): Finding | null {
  const acknowledged = unless && acknowledgementFor(about);
  if (acknowledged) {
    const { user, at, way, lapsesAt } = acknowledged;
    const evidence = { step: number, unless, over: way, at, acknowledged_by: user };
    if (lapsesAt && about.isOpen)
      return found(
        'waiting',
        `${user} acknowledged it over ${way} at ${moment(at)}, which lapses at ${moment(lapsesAt)}`,
        {
          evidence: { ...evidence, lapses_at: lapsesAt },
          evaluated: 'now',
        },
      );
    return notSent('step_ended', `${user} acknowledged it before over ${way} at ${moment(at)}`, { evidence });
  }
  if (!about.resolution) return null;
  const { occurrence, at } = about.resolution;
  return notSent('step_ended', `the occurrence ${occurrence} resolved the thread at ${moment(at)}`, {
    evidence: { step: number, resolved_by: occurrence, at },
  });
}

/** Adds to the finding of a delivery how often it was repeated, and when it is again, or why not. */
export function withRepetitions(finding: Finding, delivery: DeliveryFacts, about: StepCase): Finding {
  const { repetition = 0, channel } = delivery;
  const steps = laterSteps(about.rule, about.decision);
  const next = nextOf(steps, about);
  const isNext = next && next.repeats > 0 && next.channels.includes(channel) && finding.outcome !== 'waiting';
  const end = isNext ? endOf(next, next.number, about) : null;
  const due = isNext && about.isOpen && !end ? dueAt(next, about) : null;
  const told = [
    ...(repetition > 0 ? [`repeated ${repetition} ${repetition === 1 ? 'time' : 'times'}`] : []),
    ...(end ? [`not repeated ${repetition > 0 ? 'any more' : ''}`.trimEnd() + `, because ${end.why}`] : []),
    ...(due
      ? [`repeated at ${moment(due)}${next!.unless ? `, unless ${untilThen(next!.unless, about.rule)}` : ''}`]
      : []),
  ];
  if (told.length === 0) return finding;
  return {
    ...finding,
    detail: `${finding.detail}; ${told.join('; ')}`,
    evidence: { ...finding.evidence, repeat: repetition, ...(due && { repeated_at: due }) },
  };
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

/** The acknowledgement that ends the steps for the user, whatever evidence a step asks for. Of one that lapses, the last one. */
function acknowledgementFor({ rule, acknowledgements }: StepCase) {
  const all = acknowledgements.filter(({ isOwn }) => isOwn || !isForEach(rule));
  const lapse = lapseOf(rule);
  if (lapse === null) return all[0] && { ...all[0], lapsesAt: null };
  const last = all.toSorted((a, b) => Number(new Date(b.at)) - Number(new Date(a.at)))[0];
  const lapsesAt = last && new Date(Number(new Date(last.at)) + lapse * 1000);
  return lapsesAt && lapsesAt > new Date() ? { ...last, lapsesAt } : undefined;
}

/** The first step that the user has not taken, or not as often as it is repeated, if they are in the step before it. */
function nextOf(steps: LaterStep[], { rule, deliveries }: StepCase): LaterStep | undefined {
  const over = (channels: number[]) => deliveries.filter((each) => !each.isRoom && channels.includes(each.channel));
  const isLast = (place: number) => steps.slice(place + 1).every(({ channels }) => over(channels).length === 0);
  return steps.find(({ before, channels, repeats }, place) => {
    const taken = over(before);
    if (taken.length === 0) return false;
    if (repeats === 0) return over(channels).length === 0;
    const all = deliveries.filter((each) => !each.isRoom && before.includes(originOf(each, rule, deliveries)));
    const isOver = Math.max(...taken.map(({ repetition = 0 }) => repetition)) >= repeats;
    return !isOver && all.some(({ status }) => status !== 'skipped') && isLast(place);
  });
}

/** The messages whose evidence counts for a step. */
function knownBefore(next: LaterStep, { rule, decision, deliveries }: StepCase): DeliveryFacts[] {
  const { number, repeats } = next;
  const coming = laterSteps(rule, decision)
    .filter((each) => each.number > number || (each.number === number && repeats === 0))
    .flatMap(({ channels }) => channels);
  return deliveries.filter((each) => !each.isRoom && !coming.includes(originOf(each, rule, deliveries)));
}

/** The channel whose step a delivery belongs to: a fallback without a step belongs to the delivery whose place it takes. */
function originOf(delivery: DeliveryFacts, { steps = [] }: Pick<Rule, 'steps'>, all: DeliveryFacts[]): number {
  const { channel, fallbackOf } = delivery;
  if (fallbackOf === null || steps.some(({ channels }) => channels.includes(channel))) return channel;
  const before = all.find(({ id }) => id === fallbackOf);
  return before ? originOf(before, { steps }, all) : channel;
}

const DELIVERED = ['delivered', 'seen', 'complained'];
const SEEN = ['seen', 'complained'];

/** The first message about which so much is known, and since when. The same as `takeStep` does for many users. */
function proofOf(unless: Evidence, deliveries: DeliveryFacts[]): { slug: string | null; at: Date | null } | null {
  for (const { slug, status, report, reportAt, attemptAt, inbox, repetition = 0 } of deliveries) {
    if (unless === 'sent' && (status === 'sent' || (repetition > 0 && attemptAt))) return { slug, at: attemptAt };
    if (unless === 'delivered' && report && DELIVERED.includes(report)) return { slug, at: reportAt };
    if (unless === 'seen' && report && SEEN.includes(report)) return { slug, at: reportAt };
    if (status !== 'sent' || !inbox) continue;
    const at = unless === 'delivered' ? inbox.at : unless === 'seen' ? inbox.seenAt : inbox.readAt;
    if (unless !== 'sent' && at) return { slug, at: new Date(at) };
  }
  return null;
}

/** When a step is due for the user; null: the step before still waits to be sent. */
function dueAt(step: LaterStep, about: StepCase): Date | null {
  const { before, after } = step;
  const { rule, deliveries } = about;
  const own = knownBefore(step, about).filter((each) => before.includes(originOf(each, rule, deliveries)));
  const sent = own.filter(({ status }) => status === 'sent').map(({ attemptAt, since }) => Number(attemptAt ?? since));
  if (sent.length === 0 && own.some(({ status }) => status === 'pending')) return null;
  const ended = own.map(({ attemptAt, since }) => Math.max(Number(attemptAt ?? since), Number(since)));
  const from = sent.length > 0 ? Math.min(...sent) : Math.max(...ended);
  return new Date(from + after * 1000);
}

/** What follows the first step, for everyone: `then over mail after 10m, unless read`. */
export function thenOf(rules: Rule[], decision: Decision): string[] {
  // An occurrence from before there were rulesets has none.
  const rule = rules.find(({ id }) => id === decision.notification);
  const slugOf = (id: number) => decision.channels.find(({ channel }) => channel === id)?.slug ?? '';
  return laterSteps(rule, decision).map(
    ({ channels, after, unless, repeats, to }) =>
      (repeats > 0
        ? `again up to ${repeats} times every ${durationText(after)}`
        : `then over ${listed(channels.map(slugOf))}${to ? ' to other users' : ''} after ${durationText(after)}`) +
      (unless ? `, unless ${unless}` : ''),
  );
}
