import { clipped, counted, ended, moment } from '../explain/explain-sentence.js';
import { emailKey } from '../../platform/field/email.js';
import type { Per } from '../../platform/database/generated/prisma/enums.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { Decision, RuleChannel } from '../../rules/ruleset/decide.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';
import type { SimulateWarningDto, SimulatedMessageDto } from './simulate.dto.js';
import { whyNothing } from '../occurrence/resolve/resolve-threads.js';
import type { NothingToResolve } from '../occurrence/resolve/resolve-threads.js';
import type { Origin } from './simulate-message.js';

export const warn = (
  kind: SimulateWarningDto['kind'],
  detail: string,
  about: Partial<Origin> = {},
): SimulateWarningDto => ({
  notification: about.notification ?? null,
  channel: about.channel ?? null,
  kind,
  detail: ended(detail),
});

/** Warns when a switch or the event's `max_recipients` would stop the whole occurrence. `people`: the users of all targets, each once. */
export function stopWarnings(
  off: string[],
  ceiling: number | null,
  users: number,
  targets: { per: Per; count: { send: number } }[],
): SimulateWarningDto[] {
  const warnings = off.map((what) =>
    warn('switched_off', `The ${what} is switched off: messages wait until it is switched on`),
  );
  // A room is nobody.
  const sends = targets.filter(({ per }) => per === 'person').map(({ count }) => count.send);
  const most = Math.max(0, ...sends);
  // A user may be a recipient of several rules and channels, and counts once. Gates may keep back some of them.
  const atMost = Math.min(
    users,
    sends.reduce((sum, send) => sum + send, 0),
  );
  if (ceiling === null || atMost <= ceiling) return warnings;
  const verb = most > ceiling ? 'would be held' : 'may be held';
  const reached = most > ceiling ? counted(most) : `up to ${counted(atMost)}`;
  return [
    ...warnings,
    warn(
      'held',
      `The occurrence ${verb} until someone approves it: it reaches ${reached} users and the event allows ${counted(ceiling)}`,
    ),
  ];
}

/** Warnings from the verdicts on rules and channels alone. */
export function verdictWarnings(decisions: Decision[], channels: Map<number, RuleChannel>): SimulateWarningDto[] {
  if (decisions.length === 0) return [warn('no_rules', 'The event has no notifications')];
  const warnings = decisions.flatMap((decision) => ruleWarnings(decision, channels));
  if (decisions.some(({ verdict }) => verdict === 'matched')) return warnings;
  const verdicts = decisions.map(({ name, verdict }) => `"${name}" ${VERDICTS[verdict]}`);
  return [warn('nothing_matches', `No notification applies: ${verdicts.join(', ')}`), ...warnings];
}

const VERDICTS: Record<Decision['verdict'], string> = {
  matched: 'matches',
  filtered: 'has a condition that is false',
  disabled: 'is switched off',
  failed: 'has a condition that fails',
};

function ruleWarnings(
  { name: notification, verdict, reason, channels }: Decision,
  states: Map<number, RuleChannel>,
): SimulateWarningDto[] {
  if (verdict === 'failed') return [warn('rule_failed', sentence(reason ?? 'The condition failed'), { notification })];
  if (verdict !== 'matched') return [];
  if (channels.every((channel) => channel.verdict === 'not_chosen' || channel.verdict === 'limited'))
    return [warn('no_channel', 'The options allow none of its channels', { notification })];
  return channels.flatMap(({ channel: id, slug: channel, verdict: state }) => {
    if (state === 'gone') return [warn('channel_gone', 'The channel was deleted', { notification })];
    return state === 'open' && states.get(id)?.enabled === false
      ? [warn('channel_disabled', CHANNEL_OFF, { notification, channel })]
      : [];
  });
}

const CHANNEL_OFF =
  'The channel is switched off: messages wait until it is switched on, until they expire, or for seven days';

/** Warnings from the options alone. `unknown`: the keys of names that are not users. */
export function optionWarnings(options: TriggerOptions, unknown: string[], at: Date): SimulateWarningDto[] {
  const { expires_at: expiresAt } = options;
  return [
    ...(['recipients', 'limit_to'] as const).flatMap((option) => {
      const named = new Set(options[option]?.map(emailKey));
      const strangers = unknown.filter((key) => named.has(key)).length;
      return strangers > 0
        ? [warn('unknown_people', `${counted(strangers)} of ${counted(named.size)} names in ${option} are not users`)]
        : [];
    }),
    ...(expiresAt !== undefined && new Date(expiresAt) <= at
      ? [warn('expired', `The occurrence expires at ${moment(expiresAt)}, before it could be sent`)]
      : []),
  ];
}

/** Warns when a trigger of an event with `resolves_event` would end nothing. */
export function resolveWarnings(event: string | null, found: object[] | NothingToResolve): SimulateWarningDto[] {
  if (event === null || !('lacks' in found)) return [];
  return [warn('nothing_to_resolve', `${whyNothing(event, found)}: the trigger ends no steps`)];
}

/** Warns of messages of a later step that are due in hours in which they wait: those who escalate want to know. */
export function waitWarnings(messages: SimulatedMessageDto[]): SimulateWarningDto[] {
  const waiting = messages.filter(({ waits_for: waitsFor }) => waitsFor === 'quiet' || waitsFor === 'window');
  const [first] = waiting.toSorted((a, b) => (a.until ?? '').localeCompare(b.until ?? ''));
  if (!first?.until) return [];
  const others = waiting.length > 1 ? ` and ${counted(waiting.length - 1)} more` : '';
  const { notification, channel, user, until } = first;
  const why =
    first.waits_for === 'quiet' ? 'quiet hours; with priority critical it would not' : 'the hours of the step';
  return [
    warn('step_waits', `The message to ${user}${others} would wait until ${moment(until)} because of ${why}`, {
      notification,
      channel,
    }),
  ];
}

/** Warnings about a template, from the messages that were rendered. `inspect` tells what their contexts lack. */
export async function templateWarnings(
  messages: SimulatedMessageDto[],
  inspect: () => Promise<TemplateReport>,
  origin: Origin,
): Promise<SimulateWarningDto[]> {
  const [failed] = messages.filter(({ problem }) => problem !== null);
  if (failed) return [warn('template_failed', sentence(failed.problem ?? ''), origin)];
  const { lacking } = await inspect();
  if (!lacking) return [warn('not_checked', 'The template is too complex to be checked', origin)];
  const missing = new Set(lacking.flatMap(({ needed }) => needed));
  const links = new Set(lacking.flatMap(({ links }) => links));
  return [
    ...(missing.size > 0
      ? [warn('missing_variables', `The context has no value for ${[...missing].join(', ')}`, origin)]
      : []),
    ...[...links].map((link) => warn('empty_link', sentence(link), origin)),
  ];
}

/** A problem as a sentence. */
export const sentence = (text: string) => clipped(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
