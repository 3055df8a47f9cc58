import { SOME, Uses } from './use.js';
import type { Path, Use } from './use.js';
import type { WhenNode } from './when-evaluate.js';
import { whenFunctions } from './when-functions.js';

/** Where a value lies; null when it was worked out, or is not known. */
type Place = Path | null;

/**
 * What a condition looks at. It needs what it compares, and what it hands to a function that cannot take null; what it only asks
 * the presence of is optional, and so is what stands behind `&&`, `||` and `?`.
 */
export function whenUses(node: WhenNode): Use[] {
  const uses = new Uses();
  ask(node, [], true, uses);
  return uses.list();
}

/** Its truth is asked for: that a field is there, or what an expression says. */
function ask(node: WhenNode, at: Place, needed: boolean, uses: Uses): void {
  const place = look(node, at, needed, uses);
  if (place) uses.add(place, false);
}

function use(node: WhenNode, at: Place, needed: boolean, uses: Uses): void {
  const place = look(node, at, needed, uses);
  if (place) uses.add(place, needed);
}

/** The place of a value; notes what else is looked at on the way. */
function look(node: WhenNode, at: Place, needed: boolean, uses: Uses): Place {
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
      return look(node.child, at, needed, uses);
    case 'Subexpression':
    case 'Pipe':
    case 'IndexExpression':
      return look(node.right, look(node.left, at, needed, uses), needed, uses);
    case 'Projection':
      return look(node.right, someOf(look(node.left, at, needed, uses)), needed, uses);
    case 'FilterProjection': {
      const item = someOf(look(node.left, at, needed, uses));
      ask(node.condition, item, false, uses);
      return look(node.right, item, needed, uses);
    }
    case 'ValueProjection':
      look(node.right, null, needed, uses);
      return look(node.left, at, needed, uses);
    default:
      lookInside(node, at, needed, uses);
      return null;
  }
}

const someOf = (list: Place): Place => list && [...list, SOME];

function lookInside(node: WhenNode, at: Place, needed: boolean, uses: Uses): void {
  switch (node.type) {
    case 'Comparator': {
      const isPresence = [node.left, node.right].some((side) => side.type === 'Literal' && side.value === null);
      return [node.left, node.right].forEach((side) => use(side, at, needed && !isPresence, uses));
    }
    case 'NotExpression':
      return ask(node.child, at, needed, uses);
    case 'AndExpression':
    case 'OrExpression':
      ask(node.left, at, needed, uses);
      return ask(node.right, at, false, uses);
    case 'Ternary':
      ask(node.condition, at, needed, uses);
      return [node.trueExpr, node.falseExpr].forEach((side) => ask(side, at, false, uses));
    default:
      return lookIntoValue(node, at, needed, uses);
  }
}

function lookIntoValue(node: WhenNode, at: Place, needed: boolean, uses: Uses): void {
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
    default: // A literal looks at nothing.
  }
}
