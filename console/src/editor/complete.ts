import { FILTERS, TAGS } from './liquid-words';
import type { Variable, Words } from './variable';

export interface Choice {
  label: string;
  /** Shown beside it: a sample value. */
  detail?: string;
}

interface Found {
  /** How much of the text before the cursor the choices replace. */
  length: number;
  choices: Choice[];
}

/** The tag that the cursor is in: the last one that is opened and not closed. */
const OPEN_TAG = /\{([{%])-?((?:(?!%\}|\}\}|\{[{%]).)*)$/s;

/** What fits at the end of a template's text; null: nothing, or it is not in a tag. `isAsked`: with Ctrl-Space. */
export function wordsAt(before: string, { variables, partials, messages = [] }: Words, isAsked = false): Found | null {
  const [, kind, inside] = OPEN_TAG.exec(before) ?? [];
  if (inside === undefined) return null;
  const found = (length: number, choices: Choice[]) => (choices.length > 0 ? { length, choices } : null);
  const partial = kind === '%' ? /^\s*render\s+['"]([\w-]*)$/.exec(inside) : null;
  if (partial) return found(partial[1]!.length, partials.map(asChoice));
  const key = kind === '{' ? /^\s*['"]([\w.-]*)$/.exec(inside) : null;
  if (key)
    return found(
      key[1]!.length,
      messages.map(({ name, sample }) => ({ label: name, detail: sample })),
    );
  if (isInText(inside)) return null;
  const tag = kind === '%' ? /^\s*(\w*)$/.exec(inside) : null;
  if (tag) return found(tag[1]!.length, TAGS.map(asChoice));
  const filter = /\|\s*(\w*)$/.exec(inside);
  if (filter) return found(filter[1]!.length, FILTERS.map(asChoice));
  const [name] = /[\w.-]*$/.exec(inside)!;
  // A name or its argument follows: `for x`, `assign x`, `currency: `.
  const isFirst =
    kind === '{' ? inside.trim() === name : /^\s*(if|elsif|unless|case|when|echo|\w+ .*\bin)\s+$/.test(inside);
  if (name === '' && !isFirst && !isAsked) return null;
  return found(name.length, [...ownNames(before), ...shownNames(before, variables)]);
}

const asChoice = (label: string): Choice => ({ label });

/** Whether a quote is open. */
const isInText = (inside: string) => /['"]/.test(inside.replaceAll(/'[^']*'|"[^"]*"/g, ''));

/** The names of the variables, and in a loop the fields of its items by the name of the loop. */
function shownNames(before: string, variables: readonly Variable[]): Choice[] {
  const loops = [...before.matchAll(/\bfor\s+(\w+)\s+in\s+([\w.]+)/g)].map(([, item, list]) => [item!, `${list!}[].`]);
  return variables.flatMap(({ name, sample }) => {
    if (!name.includes('[]')) return [{ label: name, detail: sample }];
    return loops.flatMap(([item, prefix]) => {
      const field = name.startsWith(prefix!) ? name.slice(prefix!.length) : '[]';
      return field.includes('[]') ? [] : [{ label: `${item}.${field}`, detail: sample }];
    });
  });
}

/** The names that the template itself defines. */
const ownNames = (before: string): Choice[] =>
  [...new Set([...before.matchAll(/\{%-?\s*(?:for|assign|capture)\s+(\w+)\s/g)].map(([, name]) => name!))].map(
    asChoice,
  );
