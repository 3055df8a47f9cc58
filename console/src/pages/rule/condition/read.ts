import type { WhenNode } from '@carillon/expression/when-evaluate';
import { ITEMS } from './write';
import type { Comparison } from '../rows/comparison';
import type { Scalar } from '../rows/line';
import type { Condition, Row } from './row';

/** Why a condition has no rows: the key of a sentence, and a name in it. */
export interface Unreadable {
  reason: 'mixed' | 'unguarded' | 'function' | 'other';
  name?: string;
}

/** Reads what `writeCondition` writes, also with other spaces and brackets. Anything else stays as it is. */
export function readCondition(node: WhenNode): Condition | Unreadable {
  const isAny = node.type === 'OrExpression' && !readRow(node);
  const rows: Row[] = [];
  for (const part of partsOf(node, isAny ? 'OrExpression' : 'AndExpression')) {
    const row = readRow(part);
    if (!row) return reasonOf(part);
    rows.push(row);
  }
  return { join: isAny ? 'any' : 'all', rows };
}

function partsOf(node: WhenNode, join: 'AndExpression' | 'OrExpression'): WhenNode[] {
  if (node.type !== join || readRow(node)) return [node];
  return [...partsOf(node.left, join), ...partsOf(node.right, join)];
}

function reasonOf(node: WhenNode): Unreadable {
  if (node.type === 'AndExpression' || node.type === 'OrExpression') return { reason: 'mixed' };
  const inner = node.type === 'NotExpression' ? node.child : node;
  if (inner.type !== 'Function') return { reason: 'other' };
  const canFail =
    ['contains', 'starts_with', 'ends_with'].includes(inner.name) && readField(inner.children[0]) !== null;
  return { reason: canFail ? 'unguarded' : 'function', name: inner.name };
}

function readRow(node: WhenNode): Row | null {
  const field = readField(node);
  if (field !== null) return { field, is: 'filled' };
  switch (node.type) {
    case 'Comparator':
      return readComparison(node);
    case 'Function':
      return readContains(node, 'one_of', 'has');
    case 'NotExpression': {
      const empty = readField(node.child);
      if (empty !== null) return { field: empty, is: 'empty' };
      return node.child.type === 'Function' ? readContains(node.child, 'none_of', 'lacks') : null;
    }
    case 'AndExpression':
      return readGuarded(node.left, node.right);
    default:
      return null;
  }
}

type Of<Type extends WhenNode['type']> = Extract<WhenNode, { type: Type }>;

const SIGNS: Partial<Record<string, Comparison>> = {
  ...{ EQ: 'equal', NE: 'unequal' },
  ...{ GT: 'above', GTE: 'at_least', LT: 'below', LTE: 'at_most' },
};

function readComparison({ name, left, right }: Of<'Comparator'>): Row | null {
  const field = readField(left);
  const is = SIGNS[name];
  if (field === null || !is || right.type !== 'Literal') return null;
  const value: unknown = right.value;
  if (typeof value === 'boolean') return is === 'equal' ? { field, is: value ? 'yes' : 'no' } : null;
  if (is === 'equal' || is === 'unequal') return isScalar(value) ? { field, is, value } : null;
  return typeof value === 'number' ? ({ field, is, value } as Row) : null;
}

/** `contains(list of values, field)` or `contains(to_array(field), value)`. */
function readContains(
  { name, children: [where, what] }: Of<'Function'>,
  listed: 'one_of' | 'none_of',
  held: 'has' | 'lacks',
): Row | null {
  if (name !== 'contains' || !where || !what) return null;
  const values = readValues(where);
  const field = readField(what);
  if (values && field !== null) return { field, is: listed, value: values };
  if (where.type !== 'Function' || where.name !== 'to_array' || what.type !== 'Literal') return null;
  const list = readField(where.children[0], true);
  const value: unknown = what.value;
  return list !== null && isScalar(value) ? { field: list, is: held, value } : null;
}

/** Values of one type. */
function readValues(node: WhenNode): Scalar[] | null {
  const values: unknown =
    node.type === 'Literal'
      ? node.value
      : node.type === 'MultiSelectList' && node.children.every(({ type }) => type === 'Literal')
        ? node.children.map((child) => (child as Of<'Literal'>).value)
        : null;
  if (!Array.isArray(values) || values.length === 0) return null;
  const isOneType = values.every((value) => isScalar(value) && typeof value === typeof values[0]);
  return isOneType ? (values as Scalar[]) : null;
}

/** A test of the type, and what would fail on another type. */
function readGuarded(guard: WhenNode, test: WhenNode): Row | null {
  if (guard.type !== 'Comparator' || guard.name !== 'EQ' || guard.left.type !== 'Function') return null;
  if (guard.left.name !== 'type' || textOf(guard.right) !== 'string') return null;
  const field = readField(guard.left.children[0]);
  const row = test.type === 'Function' ? readTextTest(test) : test.type === 'Comparator' ? readDate(test) : null;
  return field !== null && row?.field === field ? row : null;
}

const TEXT_TESTS: Partial<Record<string, 'contains' | 'starts' | 'ends'>> = {
  ...{ contains: 'contains', starts_with: 'starts', ends_with: 'ends' },
};

function readTextTest({ name, children: [where, what] }: Of<'Function'>): Row | null {
  const [is, field, value] = [TEXT_TESTS[name], readField(where), textOf(what)];
  return is && field !== null && value !== null ? { field, is, value } : null;
}

function readDate({ name, left, right }: Of<'Comparator'>): Row | null {
  const field = readField(right);
  if (left.type !== 'Function' || left.name !== 'max' || (name !== 'EQ' && name !== 'NE')) return null;
  const [list] = left.children;
  if (list?.type !== 'MultiSelectList' || list.children.length !== 2) return null;
  const value = textOf(list.children[1]);
  if (field === null || value === null || readField(list.children[0]) !== field) return null;
  return { field, is: name === 'EQ' ? 'from' : 'before', value };
}

const textOf = (node?: WhenNode) => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null);

const isScalar = (value: unknown): value is Scalar => typeof value === 'string' || typeof value === 'number';

/** The name of a field; null: it is none, or a name that rows would show like another one. */
function readField(node: WhenNode | undefined, isList = false): string | null {
  if (isList && node?.type === 'Projection' && node.left.type === 'Flatten') {
    const [list, item] = [readField(node.left.child), readField(node.right)];
    return list === null || item === null ? null : `${list}${ITEMS}${item}`;
  }
  if (node?.type === 'Field') return node.name === '' || /\.|\[\]$/.test(node.name) ? null : node.name;
  if (node?.type !== 'Subexpression') return null;
  const [left, right] = [readField(node.left), readField(node.right)];
  return left === null || right === null ? null : `${left}.${right}`;
}
