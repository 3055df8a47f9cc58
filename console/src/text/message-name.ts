import { text } from './text';

/** What became of messages, such as `Failed: rejected by the provider`. */
export function messageName(outcome: string | undefined, reason: string | undefined): string {
  const said = text.why.gates[reason ?? ''] ?? text.figures.reasons[reason ?? ''] ?? reason;
  const counts: Record<string, string> = text.figures.counts;
  return [outcome && (counts[outcome] ?? outcome), said].filter(Boolean).join(': ');
}
