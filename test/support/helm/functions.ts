import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

type Call = (...args: never[]) => unknown;

/** Whether Go's templates take a value for true. */
export const isTrue = (value: unknown): boolean =>
  Boolean(value) && (typeof value !== 'object' || Object.keys(value!).length > 0);

/** What an action prints. A value that is missing is an error here; Helm would print nothing, or `<no value>`. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`cannot print ${JSON.stringify(value)}: toYaml or a default is missing`);
}

const indent = (spaces: number, text: string) => text.replace(/^/gm, ' '.repeat(spaces));

/** The functions that the chart uses, from Go, Sprig and Helm. The piped value comes last. */
export const FUNCTIONS: Record<string, Call> = {
  and: (...values: unknown[]) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  contains: (part: string, text: string) => text.includes(part),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  dict: (...pairs: unknown[]) =>
    Object.fromEntries(pairs.flatMap((key, n) => (n % 2 === 0 ? [[key as string, pairs[n + 1]]] : []))),
  eq: (a: unknown, b: unknown) => a === b,
  fail: (sentence: string) => {
    throw new Error(sentence);
  },
  index: (map: Record<string, unknown>, key: string) => map[key],
  list: (...values: unknown[]) => values,
  ne: (a: unknown, b: unknown) => a !== b,
  nindent: (spaces: number, text: string) => `\n${indent(spaces, text)}`,
  not: (value: unknown) => !isTrue(value),
  or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
  printf: (format: string, ...values: unknown[]) => format.replace(/%s/g, () => printed(values.shift())),
  quote: (value: unknown) => JSON.stringify(printed(value)),
  replace: (from: string, to: string, text: string) => text.replaceAll(from, to),
  required: (sentence: string, value: unknown) => {
    if (value === undefined || value === null || value === '') throw new Error(sentence);
    return value;
  },
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
  toYaml: (value: unknown) => stringify(value, { lineWidth: 0, sortMapEntries: true }).trimEnd(),
  trimSuffix: (suffix: string, text: string) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text),
  trunc: (length: number, text: string) => text.slice(0, length),
};
