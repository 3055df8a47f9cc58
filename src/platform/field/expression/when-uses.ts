import { SOME, Uses } from './use.js';
import type { Path, Use } from './use.js';
import type { WhenNode } from './when-evaluate.js';
import { whenFunctions } from './when-functions.js';

/** The place of a value; null when the value was computed or its place is unknown. */
type UsedPath = Path | null;

/**
 * The values that a condition reads. A value is needed if the condition compares it, or passes it to a function that does not accept null.
 * A value is optional if the condition only tests its presence, or if it stands after `&&`, `||` or `?`. The JMESPath library cannot
 * list these values, so this function walks the library's syntax tree. The specs cover every node type and fail if a new version of
 * the library changes the tree.
 */
export function whenUses(node: WhenNode): Use[] {
  const uses = new Uses();
  test(node, [], true, uses);
  return uses.list();
}

/** The same for an expression whose value is needed, and not only tested. */
export function valueUses(node: WhenNode): Use[] {
  const uses = new Uses();
  use(node, [], true, uses);
  return uses.list();
}

/** Reads a value only to test whether it is true or present, so the value itself is optional. */
function test(node: WhenNode, at: UsedPath, needed: boolean, uses: Uses): void {
  const place = findPlace(node, at, needed, uses);
  if (place) uses.add(place, false);
}

function use(node: WhenNode, at: UsedPath, needed: boolean, uses: Uses): void {
  const place = findPlace(node, at, needed, uses);
  if (place) uses.add(place, needed);
}

/** Returns the place of a value, and adds the other values that its expression reads. */
function findPlace(node: WhenNode, at: UsedPath, needed: boolean, uses: Uses): UsedPath {
  switch (node.type) {
    case 'Field':
      return at && [...at, node.name];
    case 'Current':
    case 'Identity':
    case 'Slice':
      return at;
    case 'Root':
      return [];
    case 'Index':
      return at && [...at, SOME];
    case 'Flatten':
      return findPlace(node.child, at, needed, uses);
    case 'Subexpression':
    case 'Pipe':
    case 'IndexExpression':
      return findPlace(node.right, findPlace(node.left, at, needed, uses), needed, uses);
    case 'Projection':
      return findPlace(node.right, someOf(findPlace(node.left, at, needed, uses)), needed, uses);
    case 'FilterProjection': {
      const item = someOf(findPlace(node.left, at, needed, uses));
      test(node.condition, item, false, uses);
      return findPlace(node.right, item, needed, uses);
    }
    case 'ValueProjection':
      findPlace(node.right, null, needed, uses);
      return findPlace(node.left, at, needed, uses);
    default:
      addUsesInside(node, at, needed, uses);
      return null;
  }
}

const someOf = (list: UsedPath): UsedPath => list && [...list, SOME];

function addUsesInside(node: WhenNode, at: UsedPath, needed: boolean, uses: Uses): void {
  switch (node.type) {
    case 'Comparator': {
      const testsPresence = [node.left, node.right].some((side) => side.type === 'Literal' && side.value === null);
      return [node.left, node.right].forEach((side) => use(side, at, needed && !testsPresence, uses));
    }
    case 'NotExpression':
      return test(node.child, at, needed, uses);
    case 'AndExpression':
    case 'OrExpression':
      test(node.left, at, needed, uses);
      return test(node.right, at, false, uses);
    case 'Ternary':
      test(node.condition, at, needed, uses);
      return [node.trueExpr, node.falseExpr].forEach((side) => test(side, at, false, uses));
    default:
      return addUsesInValue(node, at, needed, uses);
  }
}

function addUsesInValue(node: WhenNode, at: UsedPath, needed: boolean, uses: Uses): void {
  switch (node.type) {
    case 'Arithmetic':
      return [node.left, node.right].forEach((side) => use(side, at, needed, uses));
    case 'Unary':
      return use(node.operand, at, needed, uses);
    case 'Function': {
      const { takes } = whenFunctions.get(node.name)!;
      return node.children.forEach((child, i) => {
        const accepts = takes[i] ?? takes.at(-1)!;
        use(child, at, needed && !accepts(null), uses);
      });
    }
    case 'MultiSelectList':
      return node.children.forEach((child) => use(child, at, false, uses));
    case 'MultiSelectHash':
      return node.children.forEach((child) => use(child.value, at, false, uses));
    default: // A literal reads nothing.
  }
}
