import type { RuleContent, RuleTemplate } from './parts';
import { GIVEN_ROOTS } from './variables';

/** Words of Liquid that stand where names stand. */
const WORDS = new Set([
  ...['and', 'or', 'in', 'contains', 'true', 'false', 'nil', 'null', 'blank', 'empty', 'with', 'as', 'reversed'],
  ...['forloop', 'tablerowloop', 'limit', 'offset', 'cols'],
]);

const TAG = /\{\{-?(.*?)-?\}\}|\{%-?(.*?)-?%\}/gs;
const QUOTED = /"[^"]*"|'[^']*'/g;
const FILTERS = /\|\s*\w+\s*:?/g;
const NAME = /(?<![\w.:-])[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*(?![\w-]*\s*:)/g;

/** The fields of the context that the edits use, such as `order.lines[].sku`: of one that is not published, nobody else knows them. */
export function draftNames({ templates, thread }: Pick<RuleContent, 'templates' | 'thread'>): string[] {
  const names = templates.flatMap((template) => textsOf(template).flatMap(namesIn));
  return [...new Set([...names, ...(thread ? [thread] : [])])];
}

const textsOf = (template: RuleTemplate): string[] =>
  Object.entries(template).flatMap(([part, value]) => (part === 'channel' || part === 'per' ? [] : stringsIn(value)));

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The names in the tags of a template. It does not follow all of Liquid: what it misses, somebody can add by hand. */
export function namesIn(source: string): string[] {
  const loops = new Map<string, string>();
  const own = new Set<string>();
  const found: string[] = [];
  const add = (text: string) => {
    for (const [name] of text.replaceAll(QUOTED, ' ').replaceAll(FILTERS, ' ').matchAll(NAME)) {
      const [root = '', ...rest] = name.split('.');
      const list = loops.get(root);
      if (list !== undefined) found.push([list, ...rest].join('.'));
      else if (!WORDS.has(root) && !GIVEN_ROOTS.has(root) && !own.has(root)) found.push(name);
    }
  };
  for (const [, output, tag = ''] of source.matchAll(TAG)) {
    if (output !== undefined) {
      add(output);
      continue;
    }
    const [, word = '', rest = ''] = /^\s*(\w+)(.*)$/s.exec(tag) ?? [];
    const [, item = '', list = ''] = /^\s*(\w+)\s+in\s+([\w.-]+)/.exec(rest) ?? [];
    const [, target = ''] = /^\s*(\w+)\s*=/.exec(rest) ?? [];
    if (word === 'for' && item) {
      const [root = '', ...path] = list.split('.');
      const outer = loops.get(root);
      const whole = outer === undefined ? list : [outer, ...path].join('.');
      if (GIVEN_ROOTS.has(root)) own.add(item);
      else loops.set(item, `${whole}[]`);
      if (!GIVEN_ROOTS.has(root)) found.push(`${whole}[]`);
    } else if (word === 'assign') {
      add(rest.slice(rest.indexOf('=') + 1));
      own.add(target);
    } else if (word === 'capture') own.add(rest.trim());
    else if (['if', 'elsif', 'unless', 'case', 'when', 'echo'].includes(word)) add(rest);
  }
  return [...new Set(found)];
}
