/** What became of a rule for a person over one channel. */
export type Outcome = 'sent' | 'waiting' | 'dead' | 'not_sent';

/** What a sentence says of one channel. */
export interface Told {
  channel: string;
  outcome: Outcome;
  /** When it was sent, what it waits for, or what kept it: the end of a sentence. */
  why: string;
}

export interface ToldRule {
  notification: string;
  channels: Told[];
}

/** Longest text of others, such as a provider's answer, in a sentence. */
const MAX_QUOTE = 200;

/** `Ann Lee (ann@acme.test)`. */
export function nameOf({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name ? `${name} (${email})` : email;
}

/** Everything that became of the rules for a person, in one sentence. */
export function sentenceFor(person: string, rules: ToldRule[]): string {
  return ended(`${person} ${rules.flatMap(clausesOf).join('; ')}`);
}

/** What was sent stands first, then what may come, then what does not. */
function clausesOf({ notification, channels }: ToldRule): string[] {
  const name = `"${notification}"`;
  const of = (outcome: Outcome) => channels.filter((told) => told.outcome === outcome);
  const sent = of('sent').map(({ channel, why }) => `over ${channel} ${why}`.trimEnd());
  const clauses = sent.length > 0 ? [`was sent ${name} ${listed(sent)}`] : [];
  for (const { channel, why } of of('waiting')) clauses.push(`waits for ${it(clauses, name)} over ${channel}: ${why}`);
  for (const { channel, why } of of('dead')) clauses.push(`did not get ${it(clauses, name)} over ${channel}: ${why}`);
  for (const why of new Set(of('not_sent').map((told) => told.why))) {
    const over = of('not_sent').filter((told) => told.why === why);
    const nothing = clauses.length > 0 ? 'nothing' : `was sent nothing of ${name}`;
    clauses.push(`${nothing} over ${listed(over.map(({ channel }) => channel))}, because ${why}`);
  }
  return clauses.length > 0 ? clauses : [`was sent nothing of ${name}, because it has no template`];
}

/** A rule is named once. */
const it = (before: string[], name: string) => (before.length > 0 ? 'it' : name);

/** `9,120`. */
export const counted = (number: number) => number.toLocaleString('en-US');

/** `a, b and c`. */
export function listed(texts: string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

export const quoted = (texts: string[]) => listed(texts.map((text) => `"${text}"`));

/** A time as a person reads it: nobody asks for the millisecond. */
export function moment(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The words of others: on one line, not too many, and without a full stop. */
export function clipped(text: string, most = MAX_QUOTE): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > most ? `${line.slice(0, most)}...` : line).replace(/(?<!\.)\.$/, '');
}

export const ended = (sentence: string) => `${sentence.replace(/\.$/, '')}.`;
