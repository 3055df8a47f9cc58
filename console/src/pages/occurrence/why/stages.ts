import type { ExplainedChannel } from '@carillon/client';

/** The questions in the order in which they are asked. The first that is answered with no decides. */
export const STAGES = ['rule', 'channel', 'meant', 'reachable', 'due', 'provider'] as const;
export type Stage = (typeof STAGES)[number];

const STAGE_OF_GATE: Record<string, Stage> = {
  no_rules: 'rule',
  disabled: 'rule',
  filtered: 'rule',
  failed: 'rule',
  gone: 'channel',
  not_chosen: 'channel',
  channel_disabled: 'channel',
  room: 'channel',
  no_user: 'meant',
  occurrence_failed: 'meant',
  not_meant: 'meant',
  other_channel: 'meant',
  limited: 'meant',
  came_later: 'meant',
  inactive: 'reachable',
  locked: 'reachable',
  no_address: 'reachable',
  suppressed: 'reachable',
  opted_out: 'reachable',
  muted: 'reachable',
  step_ended: 'due',
  capped: 'due',
  digested: 'due',
  expired: 'due',
  canceled: 'due',
};

/** Where it was decided; null: it went through all of them, and was sent. */
export function decidingStage({ gate, outcome, evidence, delivery }: ExplainedChannel): Stage | null {
  if (outcome === 'sent') return null;
  // The channel was switched off or deleted after the delivery had been created.
  if (gate === 'channel_disabled' && delivery !== null) return 'due';
  if (gate) return STAGE_OF_GATE[gate] ?? 'due';
  if (outcome === 'dead') return 'provider';
  const { next_attempt_at: next, probe_at: probe } = evidence;
  return (next || probe) && !evidence.switched_off && !evidence.waits_for ? 'provider' : 'due';
}
