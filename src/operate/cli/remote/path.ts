import { CommandError } from '../print/print.js';

const EXAMPLES: Record<string, string> = {
  organization: 'acme',
  project: 'shop',
  application: 'web',
  event: 'order-paid',
  channel: 'mail',
  user: 'ann@example.com',
  occurrence: '0197f3a0-5c1e-7d8e-9b1a-2f6d0c3b4a59',
};

/** A path of the API with encoded values. */
export function api(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encoded));
}

function encoded(value: string): string {
  // A URL drops these segments, even if they are encoded, and the path would name something else.
  if (['', '.', '..'].includes(value)) throw new CommandError(`"${value}" cannot be a name`);
  return encodeURIComponent(value);
}

/** Reads `acme/shop/web/order-paid`. The last name may contain slashes, as an e-mail address may. */
export function namesIn(text: string, nouns: readonly string[]): string[] {
  const words = text.split('/');
  const names = [...words.slice(0, nouns.length - 1), words.slice(nouns.length - 1).join('/')];
  if (words.length < nouns.length || names.some((name) => name === '')) throw wrongPath(text, [nouns]);
  return names;
}

/** Says how the argument must look. */
export function wrongPath(text: string, forms: readonly (readonly string[])[]): CommandError {
  const said = forms.map((nouns) => `${nouns.join('/')}, such as ${nouns.map((noun) => EXAMPLES[noun]).join('/')}`);
  return new CommandError(`"${text}" is not ${said.join('; or ')}`);
}

const EVENT = ['organization', 'project', 'application', 'event'] as const;

/** The path of an event in the API. */
export function eventPath(text: string): string {
  const [org, project, application, event] = namesIn(text, EVENT) as [string, string, string, string];
  if (event.includes('/')) throw wrongPath(text, [EVENT]);
  return api`/api/o/${org}/p/${project}/a/${application}/e/${event}/`;
}
