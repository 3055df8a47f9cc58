import { compile } from '@jmespath-community/jmespath';
import { LRUCache } from 'lru-cache';
import type { Use } from './use.js';
import { evaluate } from './when-evaluate.js';
import type { WhenNode } from './when-evaluate.js';
import { whenFunctions } from './when-functions.js';
import { whenUses } from './when-uses.js';
import { RuleError, StepBudget, isFalse } from './when-value.js';

/** No rule that a person wrote comes near it, and the parser recurses once or twice per character. */
export const WHEN_MAX_LENGTH = 1_000;

const compiled = new LRUCache<string, WhenNode>({ max: 1_000 });

/** What is wrong with a rule's `when`, in one sentence, or null. */
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
 * Whether a rule applies to a trigger's context: JMESPath, with its truth (`false`, `null` and anything empty is false).
 * No expression means always. Throws `RuleError` when the expression cannot be applied to this context.
 */
export function matches(expression: string | null, context: unknown): boolean {
  if (expression === null) return true;
  const budget = new StepBudget();
  return !isFalse(evaluate(parse(expression), context, { root: context, budget }), budget);
}

/** What the expression looks at in a context. */
export function usesInWhen(expression: string): Use[] {
  return whenUses(parse(expression));
}

/** The names at the top of a context that the expression looks at, in order. */
export function namesIn(expression: string): string[] {
  const names = new Set<string>();
  collectNames(parse(expression), true, names);
  return [...names];
}

function collectNames(node: WhenNode, atTop: boolean, names: Set<string>): void {
  if (node.type === 'Field' && atTop) names.add(node.name);
  const children = childrenOf(node);
  const left = 'left' in node && RELATIVE.has(node.type) ? node.left : null;
  if (!left) return children.forEach((child) => collectNames(child, atTop, names));
  // What stands right of a dot or a bracket is looked for in what stands left of it.
  const staysAtTop = left.type === 'Root' || (atTop && (left.type === 'Current' || left.type === 'Identity'));
  for (const child of children) collectNames(child, child === left ? atTop : staysAtTop, names);
}

const RELATIVE: ReadonlySet<WhenNode['type']> = new Set<WhenNode['type']>([
  'Subexpression',
  'Pipe',
  'IndexExpression',
  'Projection',
  'ValueProjection',
  'FilterProjection',
]);

function parse(expression: string): WhenNode {
  const known = compiled.get(expression);
  if (known) return known;
  if (expression.trim() === '') throw new RuleError('The expression is empty.');
  if (expression.length > WHEN_MAX_LENGTH) {
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
    // The parser trips over its own feet on some inputs (TypeError, RangeError): nothing in those words helps a person.
    const own = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
    const detail = own ? `: ${error.message.replace(/^Syntax error[:,]? */i, '').replace(/\.$/, '')}` : '';
    throw new RuleError(`This is not a valid JMESPath expression${detail}.`);
  }
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
