import type { ExplainedChannel } from '@carillon/client';

export type Setting =
  | {
      kind:
        | 'event'
        | 'channel'
        | 'person'
        | 'preferences'
        | 'people'
        | 'suppressions'
        | 'categories'
        | 'switches'
        | 'occurrence';
    }
  | { kind: 'lists'; names: string[] }
  | { kind: 'digest'; occurrence: string };

export interface Decided {
  gate: ExplainedChannel['gate'];
  outcome?: ExplainedChannel['outcome'];
  evidence: Record<string, unknown>;
}

const OF_GATE: Record<NonNullable<Decided['gate']>, Exclude<Setting['kind'], 'lists' | 'digest'>> = {
  no_user: 'people',
  no_rules: 'event',
  occurrence_failed: 'occurrence',
  disabled: 'event',
  filtered: 'event',
  failed: 'event',
  gone: 'event',
  not_chosen: 'occurrence',
  room: 'channel',
  not_meant: 'event',
  other_channel: 'person',
  limited: 'occurrence',
  came_later: 'person',
  step_ended: 'event',
  inactive: 'person',
  locked: 'person',
  no_address: 'person',
  suppressed: 'suppressions',
  opted_out: 'preferences',
  muted: 'preferences',
  channel_disabled: 'channel',
  capped: 'event',
  digested: 'event',
  expired: 'occurrence',
  canceled: 'occurrence',
};

/** The setting that decided what became of a message; null: it was sent, and none kept it back. */
export function settingOf({ gate, outcome, evidence }: Decided): Setting | null {
  const { digest, lists, choice, category } = evidence;
  if (isCarrier(digest)) return { kind: 'digest', occurrence: digest.occurrence };
  const names = Array.isArray(lists) ? lists.map(String) : [];
  if ((gate === 'not_meant' || gate === 'inactive') && names.length > 0 && !evidence.audience)
    return { kind: 'lists', names };
  // Nobody chose: the default of the category decided.
  if (gate === 'opted_out' && choice === null && category) return { kind: 'categories' };
  if (gate) return { kind: OF_GATE[gate] };
  if (outcome === 'dead') return { kind: 'channel' };
  return outcome === 'waiting' ? whileWaiting(evidence) : null;
}

function whileWaiting(evidence: Record<string, unknown>): Setting {
  const { switched_off: off, waits_for: waitsFor, probe_at: probe, max_recipients: most, frequency } = evidence;
  if (off === 'channel') return { kind: 'channel' };
  if (off === 'event' || off === 'notification') return { kind: 'event' };
  if (off) return { kind: 'switches' };
  // Quiet hours, or how often the user wants the messages.
  if (waitsFor === 'quiet' || frequency) return { kind: 'person' };
  if (waitsFor || most) return { kind: 'event' };
  return { kind: probe ? 'channel' : 'occurrence' };
}

const isCarrier = (value: unknown): value is { occurrence: string } =>
  typeof value === 'object' && value !== null && 'occurrence' in value;
