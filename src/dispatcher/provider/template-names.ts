import type { RichMessage } from '../dispatcher.js';
import type { Variables } from './value.js';

type MessageTemplate = NonNullable<RichMessage['template']>;

type Texts = readonly (string | null)[] | Readonly<Record<string, string>> | null | undefined;

interface Parameter {
  /** Of one that is known by its name. */
  name: string | null;
  /** Its position, from 0 on, as Meta wants it. */
  index: string;
  text: string;
}

/** The template of a message, with its parameters as lists. */
export const templateNames = ({ name, language, parameters }: MessageTemplate): Variables => ({
  ...{ name, language },
  header: parametersIn(parameters?.header),
  body: parametersIn(parameters?.body),
  buttons: parametersIn(parameters?.buttons),
});

/** The first value that is empty, by its path; null: none is. Providers refuse such a message. */
export function emptyParameter({ parameters }: MessageTemplate): string | null {
  for (const part of ['header', 'body', 'buttons'] as const) {
    const empty = parametersIn(parameters?.[part])?.find(({ text }) => text === '');
    if (empty) return `template.parameters.${part}${empty.name === null ? `[${empty.index}]` : `.${empty.name}`}`;
  }
  return null;
}

/** Null: there are none. */
function parametersIn(texts: Texts): Parameter[] | null {
  if (!texts) return null;
  const all = Array.isArray(texts)
    ? (texts as readonly (string | null)[]).map((text, i) => ({ name: null, index: String(i), text }))
    : Object.entries(texts as Readonly<Record<string, string>>).map(([name, text], i) => ({
        name,
        index: String(i),
        text,
      }));
  const given = all.filter((each): each is Parameter => each.text !== null);
  return given.length > 0 ? given : null;
}
