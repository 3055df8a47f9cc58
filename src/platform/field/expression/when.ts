import { compile } from '@jmespath-community/jmespath';
import { LRUCache } from 'lru-cache';
import { lengthOf } from '../text-length.js';
import type { Use } from './use.js';
import { evaluate } from './when-evaluate.js';
import type { WhenNode } from './when-evaluate.js';
import { whenFunctions } from './when-functions.js';
import { valueUses, whenUses } from './when-uses.js';
import { RuleError, StepBudget, isFalse } from './when-value.js';

/** Far longer than rules that anybody writes. The parser recurses once or twice per character. */
const WHEN_MAX_LENGTH = 1_000;

const compiled = new LRUCache<string, WhenNode>({ max: 1_000 });

/** An expression of a file, which is compiled once. Those of rules are looked up, because there may be very many. */
export interface CompiledWhen {
  readonly text: string;
  readonly node: WhenNode;
}

/** Throws `RuleError` if the expression is not valid. */
export const compiledWhen = (text: string): CompiledWhen => ({ text, node: parse(text) });

/** Checks a rule's `when`. Returns the problem in one sentence, or null. */
export function checkWhen(expression: string): string | null {
  try {
    parse(expression);
    return null;
  } catch (error) {
    if (error instanceof RuleError) return error.message;
    throw error;
  }
}

/**
 * Whether a rule applies to a trigger's context. The expression is JMESPath, where `false`, `null` and everything empty is
 * false. Without an expression the rule always applies. Several expressions may share a budget. Throws `RuleError` when the expression fails on this context.
 */
export function matches(
  expression: string | CompiledWhen | null,
  context: unknown,
  budget = new StepBudget(),
): boolean {
  if (expression === null) return true;
  return !isFalse(evaluate(nodeOf(expression), context, { root: context, budget }), budget);
}

/** The value that an expression finds in a context. Throws `RuleError` when the expression fails on this context. */
export function valueIn(expression: string | CompiledWhen, context: unknown, budget = new StepBudget()): unknown {
  return evaluate(nodeOf(expression), context, { root: context, budget });
}

const nodeOf = (expression: string | CompiledWhen): WhenNode =>
  typeof expression === 'string' ? parse(expression) : expression.node;

/** The values that the expression reads from a context. */
export function usesInWhen(expression: string): Use[] {
  return whenUses(parse(expression));
}

/** The same for an expression whose value is needed, and not only tested. */
export function usesInValue(expression: string): Use[] {
  return valueUses(parse(expression));
}

/** The top-level names of a context that the expression reads, in order. */
export function namesIn(expression: string): string[] {
  const names = usesInWhen(expression).map(({ path: [name] }) => name);
  return [...new Set(names)].filter((name) => typeof name === 'string');
}

function parse(expression: string): WhenNode {
  const known = compiled.get(expression);
  if (known) return known;
  if (expression.trim() === '') throw new RuleError('The expression is empty.');
  if (lengthOf(expression) > WHEN_MAX_LENGTH) {
    throw new RuleError(`The expression is longer than ${WHEN_MAX_LENGTH} characters.`);
  }
  const node = read(expression);
  refuseUnsupported(node);
  compiled.set(expression, node);
  return node;
}

function read(expression: string): WhenNode {
  try {
    return compile(expression);
  } catch (error) {
    // On some inputs the parser itself fails (TypeError, RangeError). Those messages help nobody.
    const isSyntaxError = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
    const detail = isSyntaxError ? `: ${error.message.replace(/^Syntax error[:,]? */i, '').replace(/\.$/, '')}` : '';
    throw new RuleError(`This is not a valid JMESPath expression${detail}.${hintOn(expression)}`);
  }
}

/** The mistake that nearly everybody makes at first. */
function hintOn(expression: string): string {
  const bare = /(?:[<>]=?|[=!]=)\s*(-?\d+(?:\.\d+)?|true|false|null)\b/.exec(expression)?.[1];
  return bare === undefined ? '' : ` Write numbers, true, false and null in backticks: \`${bare}\`.`;
}

const UNSUPPORTED: Partial<Record<WhenNode['type'], string>> = {
  LetExpression: 'let',
  Variable: 'a variable ($name)',
  Binding: 'an assignment',
  ExpressionReference: 'an expression reference (&name)',
};

function refuseUnsupported(node: WhenNode): void {
  const refused = UNSUPPORTED[node.type];
  if (refused) throw new RuleError(`A rule cannot use ${refused}.`);
  if (node.type === 'Function') refuseUnknownCall(node.name, node.children.length);
  for (const child of childrenOf(node)) refuseUnsupported(child);
}

function refuseUnknownCall(name: string, given: number): void {
  const known = whenFunctions.get(name);
  if (!known) throw new RuleError(`A rule cannot use ${name}(); it has ${[...whenFunctions.keys()].join(', ')}.`);
  const wanted = known.takes.length;
  if (known.variadic ? given < wanted : given !== wanted) {
    throw new RuleError(`${name}() takes ${known.variadic ? 'at least ' : ''}${wanted} argument(s), not ${given}.`);
  }
}

function childrenOf(node: WhenNode): WhenNode[] {
  const found: WhenNode[] = [];
  for (const part of Object.values(node as object).flat() as unknown[]) {
    if (isNode(part)) found.push(part.type === 'KeyValuePair' ? part.value : part);
  }
  return node.type === 'Literal' ? [] : found;
}

function isNode(part: unknown): part is WhenNode | { type: 'KeyValuePair'; value: WhenNode } {
  return typeof part === 'object' && part !== null && 'type' in part;
}
