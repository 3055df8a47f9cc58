/** The outcomes of a rule for a user over one channel, best first. */
export const OUTCOMES = ['sent', 'waiting', 'dead', 'not_sent'] as const;
export type ExplainedOutcome = (typeof OUTCOMES)[number];

/** The part of a sentence about one channel. */
export interface ChannelClause {
  channel: string;
  outcome: ExplainedOutcome;
  /** The end of the clause: when it was sent, what it waits for, or why it was not sent. */
  why: string;
}

/** The part of a sentence about one rule. */
export interface RuleClause {
  notification: string;
  channels: ChannelClause[];
}

/** The schedule that triggered an occurrence, as it was then. */
export interface ExplainedSchedule {
  cron: string;
  time_zone: string;
  slot: string;
}

/** The longest quoted text in a sentence, such as a provider's answer. */
const MAX_QUOTE = 200;

/** `Ann Lee (ann@acme.test)`. */
export function nameOf({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name ? `${name} (${email})` : email;
}

/** The outcomes of all rules for a user, in one sentence. */
export function sentenceFor(user: string, rules: RuleClause[]): string {
  return ended(`${user} ${rules.flatMap(clausesOf).join('; ')}`);
}

/** Sent messages come first, then waiting ones, then the others. */
function clausesOf({ notification, channels }: RuleClause): string[] {
  const name = `"${notification}"`;
  const of = (outcome: ExplainedOutcome) => channels.filter((channel) => channel.outcome === outcome);
  const sent = of('sent').map(({ channel, why }) => `over ${channel} ${why}`.trimEnd());
  const clauses = sent.length > 0 ? [`was sent ${name} ${listed(sent)}`] : [];
  for (const { channel, why } of of('waiting'))
    clauses.push(`is waiting for ${it(clauses, name)} over ${channel}: ${why}`);
  for (const { channel, why } of of('dead')) clauses.push(`did not get ${it(clauses, name)} over ${channel}: ${why}`);
  for (const reason of new Set(of('not_sent').map(({ why }) => why))) {
    const over = of('not_sent').filter(({ why }) => why === reason);
    const slugs = listed(over.map(({ channel }) => channel));
    clauses.push(`was not sent ${it(clauses, name)} over ${slugs}, because ${reason}`);
  }
  return clauses.length > 0 ? clauses : [`was not sent ${name}, because it has no template`];
}

/** The first clause names the rule, the others say `it`. */
const it = (before: string[], name: string) => (before.length > 0 ? 'it' : name);

/** `9,120`. */
export const counted = (number: number) => number.toLocaleString('en-US');

/** `a, b and c`. */
export function listed(texts: string[], word: 'and' | 'or' = 'and'): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

/** `"a", "b" or "c"`. */
export const anyOf = (texts: string[]) =>
  listed(
    texts.map((text) => `"${text}"`),
    'or',
  );

/** A time without its milliseconds. */
export function moment(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A quoted text on one line, cut to a length, and without its full stop. */
export function clipped(text: string, most = MAX_QUOTE): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > most ? `${line.slice(0, most)}...` : line).replace(/(?<!\.)\.$/, '');
}

/** A sentence that also names the schedule that triggered the event, if one did. */
export function withSchedule(sentence: string, { schedule }: { schedule: ExplainedSchedule | null }): string {
  if (!schedule) return ended(sentence);
  const { cron, time_zone: zone, slot } = schedule;
  return ended(
    `${sentence.replace(/\.$/, '')}; the schedule "${cron}" in ${zone} triggered the event for ${moment(slot)}`,
  );
}

export const ended = (sentence: string) => `${sentence.replace(/\.$/, '')}.`;
