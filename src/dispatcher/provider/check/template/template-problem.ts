import { isObject } from '../../../../platform/field/is-object.js';
import type { RichMessage } from '../../../dispatcher.js';

export type MessageTemplate = NonNullable<RichMessage['template']>;

/** A template in one language, as the provider has it. */
export interface FoundTemplate {
  name: string;
  language: string;
  /** What the provider says about it, such as `APPROVED`. */
  status: string;
  isApproved: boolean;
  /** Texts with `{{1}}` or `{{name}}` for each parameter. */
  header: string;
  body: string;
  buttons: readonly string[];
  /** Parts that messages cannot fill. */
  others: readonly string[];
}

const MAX_LISTED = 10;

/** Why the provider would refuse a message with this template, in one sentence; null: it would take it. */
export function templateProblem(template: MessageTemplate, found: readonly FoundTemplate[]): string | null {
  const { name, language } = template;
  const named = found.filter((each) => each.name === name);
  if (named.length === 0) return `the provider has no template ${name}`;
  const match = named.find((each) => each.language === language);
  if (!match)
    return `the provider has ${name} in ${listed(named.map((each) => each.language))}, but not in ${language}`;
  if (!match.isApproved) return `the provider has not approved ${name} in ${language}: it is ${match.status}`;
  if (match.others.length > 0)
    return `${name} in ${language} has parts that messages cannot fill: ${listed(match.others)}`;
  const { parameters } = template;
  const problem =
    textProblem('header', match.header, parameters?.header) ??
    textProblem('body', match.body, parameters?.body) ??
    buttonProblem(match.buttons, parameters?.buttons ?? []);
  return problem && `${name} in ${language}: ${problem}`;
}

type Given = readonly string[] | Readonly<Record<string, string>> | null | undefined;

function textProblem(part: string, text: string, given: Given): string | null {
  const wanted = parametersIn(text);
  const names = isObject(given) ? Object.keys(given) : null;
  const count = names?.length ?? (given as readonly string[] | null | undefined)?.length ?? 0;
  if (wanted.length === 0 && count === 0) return null;
  const isNamed = wanted.some((name) => !/^\d+$/.test(name));
  if (isNamed ? names === null || !isSame(wanted, names) : names !== null || wanted.length !== count)
    return `its ${part} takes ${wantedText(wanted, isNamed)}, and the notification gives ${givenText(names, count)}`;
  return null;
}

function buttonProblem(texts: readonly string[], given: readonly (string | null)[]): string | null {
  for (let i = 0; i < Math.max(texts.length, given.length); i++) {
    const isWanted = parametersIn(texts[i] ?? '').length > 0;
    const isGiven = typeof given[i] === 'string';
    if (isWanted && !isGiven) return `its button ${i + 1} takes a parameter, and the notification gives none`;
    if (isGiven && !isWanted) return `it has no button ${i + 1} with a parameter, and the notification gives one`;
  }
  return null;
}

/** The names of parameters, each once. */
const parametersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name!)),
];

const isSame = (wanted: readonly string[], given: readonly string[]): boolean =>
  wanted.length === given.length && wanted.every((name) => given.includes(name));

const wantedText = (wanted: readonly string[], isNamed: boolean): string =>
  isNamed ? `the parameters ${listed(wanted)} by name` : counted(wanted.length);

const givenText = (names: readonly string[] | null, count: number): string =>
  count === 0 ? 'none' : names === null ? `${count} by position` : `${listed(names)} by name`;

const counted = (count: number): string =>
  count === 0 ? 'no parameters' : `${count} ${count === 1 ? 'parameter' : 'parameters'} by position`;

function listed(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED;
  return `${texts.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
