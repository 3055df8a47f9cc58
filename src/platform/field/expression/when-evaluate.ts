import type { compile } from '@jmespath-community/jmespath';
import { isObject } from '../is-object.js';
import { whenFunctions } from './when-functions.js';
import { RuleError, isEqual, isFalse, nameOf } from './when-value.js';
import type { StepBudget } from './when-value.js';

/*
 * Evaluates the tree that the JMESPath library parses. The library's own evaluator is not used for three reasons. It has no
 * step limit, and `[@,@][]|[@,@][]|...` doubles an array with every eight characters. It reads inherited properties, such as
 * `constructor`. And it takes `{"expref": true}` in a context for an expression.
 */

export type WhenNode = ReturnType<typeof compile>;

interface Evaluation {
  root: unknown;
  budget: StepBudget;
}

export function evaluate(node: WhenNode, value: unknown, run: Evaluation): unknown {
  run.budget.spend(1);
  switch (node.type) {
    case 'Field':
      return isObject(value) && Object.hasOwn(value, node.name) ? value[node.name] : null;
    case 'Literal':
      return node.value;
    case 'Current':
    case 'Identity':
      return value;
    case 'Root':
      return run.root;
    case 'Index':
      return Array.isArray(value) ? (value.at(node.value) ?? null) : null;
    case 'Subexpression': {
      const left = evaluate(node.left, value, run);
      return left === null ? null : evaluate(node.right, left, run);
    }
    case 'Pipe':
    case 'IndexExpression':
      return evaluate(node.right, evaluate(node.left, value, run), run);
    default:
      return evaluateLogic(node, value, run);
  }
}

function evaluateLogic(node: WhenNode, value: unknown, run: Evaluation): unknown {
  switch (node.type) {
    case 'Comparator':
      return compare(node.name, evaluate(node.left, value, run), evaluate(node.right, value, run), run.budget);
    case 'NotExpression':
      return isFalse(evaluate(node.child, value, run), run.budget);
    case 'OrExpression': {
      const left = evaluate(node.left, value, run);
      return isFalse(left, run.budget) ? evaluate(node.right, value, run) : left;
    }
    case 'AndExpression': {
      const left = evaluate(node.left, value, run);
      return isFalse(left, run.budget) ? left : evaluate(node.right, value, run);
    }
    case 'Ternary':
      return evaluate(
        isFalse(evaluate(node.condition, value, run), run.budget) ? node.falseExpr : node.trueExpr,
        value,
        run,
      );
    default:
      return evaluateCall(node, value, run);
  }
}

function evaluateCall(node: WhenNode, value: unknown, run: Evaluation): unknown {
  switch (node.type) {
    case 'Arithmetic':
      return calculate(node.operator, evaluate(node.left, value, run), evaluate(node.right, value, run));
    case 'Unary':
      return calculate(node.operator, 0, evaluate(node.operand, value, run));
    case 'Function':
      return call(
        node.name,
        node.children.map((child) => evaluate(child, value, run)),
        run.budget,
      );
    default:
      return evaluateList(node, value, run);
  }
}

function evaluateList(node: WhenNode, value: unknown, run: Evaluation): unknown {
  switch (node.type) {
    case 'Projection': {
      const list = evaluate(node.left, value, run);
      const sliced = node.left.type === 'IndexExpression' && node.left.right.type === 'Slice';
      if (sliced && typeof list === 'string') return evaluate(node.right, list, run);
      return Array.isArray(list) ? project(list, node.right, run) : null;
    }
    case 'ValueProjection': {
      const object = evaluate(node.left, value, run);
      return isObject(object) ? project(Object.values(object), node.right, run) : null;
    }
    case 'FilterProjection': {
      const list = evaluate(node.left, value, run);
      if (!Array.isArray(list)) return null;
      const kept = list.filter((item) => !isFalse(evaluate(node.condition, item, run), run.budget));
      return project(kept, node.right, run);
    }
    case 'Flatten':
      return flatten(evaluate(node.child, value, run), run.budget);
    case 'Slice':
      return slice(value, node, run.budget);
    case 'MultiSelectList':
      return node.children.map((child) => evaluate(child, value, run));
    case 'MultiSelectHash':
      return Object.fromEntries(node.children.map((child) => [child.name, evaluate(child.value, value, run)]));
    default:
      throw new RuleError(`A rule cannot use ${node.type}.`);
  }
}

function project(list: readonly unknown[], right: WhenNode, run: Evaluation): unknown[] {
  run.budget.spend(list.length);
  return list.map((item) => evaluate(right, item, run)).filter((item) => item !== null);
}

// Spends the steps before building the list: otherwise flattening many long lists would cost one step.
function flatten(value: unknown, budget: StepBudget): unknown {
  if (!Array.isArray(value)) return null;
  budget.spend(value.length);
  for (const item of value) budget.spend(Array.isArray(item) ? item.length : 1);
  return value.flat() as unknown[];
}

interface SliceBounds {
  start: number | null;
  stop: number | null;
  step: number | null;
}

function slice(value: unknown, bounds: SliceBounds, budget: StepBudget): unknown {
  if (!Array.isArray(value) && typeof value !== 'string') return null;
  const step = bounds.step ?? 1;
  if (step === 0) throw new RuleError('The step of a slice cannot be 0.');
  budget.spend(value.length);
  const items: unknown[] = typeof value === 'string' ? [...value] : value;
  const end = step > 0 ? items.length : items.length - 1;
  const clamp = (at: number): number => Math.max(step > 0 ? 0 : -1, Math.min(at < 0 ? at + items.length : at, end));
  const from = bounds.start === null ? (step > 0 ? 0 : end) : clamp(bounds.start);
  const to = bounds.stop === null ? (step > 0 ? end : -1) : clamp(bounds.stop);
  const picked: unknown[] = [];
  for (let at = from; step > 0 ? at < to : at > to; at += step) picked.push(items[at]);
  return typeof value === 'string' ? picked.join('') : picked;
}

function compare(name: string, left: unknown, right: unknown, budget: StepBudget): boolean | null {
  if (name === 'EQ') return isEqual(left, right, budget);
  if (name === 'NE') return !isEqual(left, right, budget);
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  if (name === 'GT') return left > right;
  if (name === 'GTE') return left >= right;
  return name === 'LT' ? left < right : left <= right;
}

function calculate(operator: string, left: unknown, right: unknown): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw new RuleError('Arithmetic needs numbers.');
  if (operator === 'Plus') return left + right;
  if (operator === 'Minus') return left - right;
  if (operator === 'Multiply' || operator === 'Star') return left * right;
  if (right === 0) throw new RuleError('A number is divided by zero.');
  if (operator === 'Modulo') return left % right;
  return operator === 'Div' ? Math.floor(left / right) : left / right;
}

function call(name: string, args: unknown[], budget: StepBudget): unknown {
  const known = whenFunctions.get(name);
  if (!known) throw new RuleError(`A rule cannot use ${name}().`);
  known.takes.forEach((accepts, index) => {
    if (!accepts(args[index])) throw new RuleError(`${name}() cannot take ${nameOf(args[index])}.`);
  });
  return known.apply(args, budget);
}
