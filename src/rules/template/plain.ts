import { Tag, TypeGuards, Value, toValueSync } from 'liquidjs';
import type { Filter, Template, ValueToken } from 'liquidjs';
import { RenderTag } from './layout/render-tag.js';

/*
 * A plain part may be rendered in our own process, between two requests: it has no loop, and everything that builds lists or
 * long texts is charged to the budget. Other parts are rendered in a process that can be killed.
 */

const TAGS = new Set(['if', 'unless', 'case', 'assign', 'comment', 'raw', '#', 'render']);

const FILTERS = new Set([
  ...['default', 'raw', 'size', 'first', 'last', 'json', 'join', 'date'],
  ...['upcase', 'downcase', 'capitalize', 'strip', 'lstrip', 'rstrip', 'truncate', 'truncatewords', 'slice'],
  ...['append', 'prepend', 'replace', 'replace_first', 'remove', 'remove_first', 'strip_newlines', 'newline_to_br'],
  ...['escape', 'escape_once', 'xml_escape', 'url_encode'],
  ...['local_date', 'local_time', 'local_number', 'currency', 'local_list', 'relative_time', 't'],
  ...['abs', 'at_least', 'at_most', 'ceil', 'floor', 'round', 'plus', 'minus', 'times', 'divided_by', 'modulo'],
]);

// Nothing interrupts one tag, so its work is limited here.
const MAX_FILTERS = 8;
const MAX_OPERANDS = 15;
const MAX_DATE_FORMAT = 60;

export function isPlain(templates: Template[]): boolean {
  return templates.every((template) => {
    if (template instanceof Tag && !TAGS.has(template.name)) return false;
    const isPlainToken = template instanceof RenderTag ? isNoRange : isConstant;
    for (const value of template.arguments?.() ?? []) {
      if (value instanceof Value ? !isPlainValue(value) : !isPlainToken(value)) return false;
    }
    return isPlain(template.children ? toValueSync(template.children(false, true)) : []);
  });
}

/** Looking up a value is cheap, making a list of numbers is not. */
const isNoRange = (token: ValueToken) => !TypeGuards.isRangeToken(token);

/** The values of a `when` must be constants: LiquidJS compares them without our charged operators. */
function isConstant(token: ValueToken): boolean {
  return TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token);
}

function isPlainValue(value: Value): boolean {
  const operands = value.initial.postfix;
  if (operands.length > MAX_OPERANDS || operands.some((token) => TypeGuards.isRangeToken(token))) return false;
  return value.filters.length <= MAX_FILTERS && value.filters.every(isPlainFilter);
}

function isPlainFilter(filter: Filter): boolean {
  // LiquidJS gives the escape of an output this name.
  if (filter.name === '[object Function]') return true;
  if (filter.args.some((argument) => TypeGuards.isRangeToken(Array.isArray(argument) ? argument[1] : argument))) {
    return false;
  }
  return FILTERS.has(filter.name) && (filter.name !== 'date' || hasShortFormat(filter));
}

/** A date costs about 50 us for each `%c` in its format, so the format must be a constant of known length. */
function hasShortFormat(filter: Filter): boolean {
  const format = filter.args[0];
  return TypeGuards.isQuotedToken(format) && format.content.length <= MAX_DATE_FORMAT;
}
