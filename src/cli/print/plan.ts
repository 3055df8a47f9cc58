import { visible } from '../../config/visible.js';
import type { Difference } from '../../prisma/put-row.js';
import type { Change } from '../../provisioning/apply/change.js';

const LONGEST_ON_ONE_LINE = 60;

/** Describes changes for people: one line per resource, and below it each field before and after. */
export function planText(changes: Change[]): string {
  return changes.flatMap(changeLines).join('\n');
}

function changeLines({ verb, noun, name, differences = [] }: Change): string[] {
  return [`${verb} ${noun} ${visible(name)}`, ...differences.flatMap(differenceLines).map((line) => `    ${line}`)];
}

function differenceLines(difference: Difference): string[] {
  const { field } = difference;
  if (!('after' in difference)) return [`${field}: changed (a secret)`];
  const [before, after] = [textOf(difference.before), textOf(difference.after)];
  const isShort = [before, after].every((text) => text.length <= LONGEST_ON_ONE_LINE && !text.includes('\n'));
  if (isShort) return [`${field}: ${before} -> ${after}`];
  return [`${field}:`, ...lineDifferences(before.split('\n'), after.split('\n')).map((line) => `  ${line}`)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The lines from the first difference to the last. */
function lineDifferences(before: string[], after: string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = (lines: string[]) => lines.slice(start, lines.length - end);
  return [...middle(before).map((line) => `- ${line}`), ...middle(after).map((line) => `+ ${line}`)];
}
