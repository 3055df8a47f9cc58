import { visible } from '../../../platform/config/visible.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { Change } from '../../provisioning/apply/change.js';

const LONGEST_ON_ONE_LINE = 60;

/** Describes changes to an operator: one line per resource, and below it each field before and after. */
export function planText(changes: Change[]): string {
  return changes.flatMap(changeLines).join('\n');
}

function changeLines(change: Change): string[] {
  const { verb, noun, name, count, people: users = [], differences = [], touches = [] } = change;
  const what = count === undefined ? `${noun} ${visible(name)}` : `${countOf(count, noun)} in ${visible(name)}`;
  const details = [...differences.flatMap(differenceLines), ...userLines(users, count ?? 0), ...touchedLines(touches)];
  return [`${verb} ${what}`, ...details.map((line) => `    ${line}`)];
}

function countOf(count: number, noun: string): string {
  const plural = count === 1 ? noun : noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return `${count.toLocaleString('en')} ${plural}`;
}

function userLines(users: string[], count: number): string[] {
  const more = count - users.length;
  return [...users.map(visible), ...(users.length > 0 && more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])];
}

function touchedLines(touches: string[]): string[] {
  if (touches.length === 0) return [];
  const what = touches.length === 1 ? '1 notification' : `${touches.length.toLocaleString('en')} notifications`;
  return [`changes ${what}:`, ...touches.map((name) => `  ${visible(name)}`)];
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
