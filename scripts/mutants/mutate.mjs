// Finds the mutants of a source file: small changes of the code that a test must notice.
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;

const SWAPPED = new Map([
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.QuestionQuestionToken, '&&'],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
  [Kind.AsteriskToken, '/'],
  [Kind.SlashToken, '*'],
]);

const isStatement = (node) =>
  ts.isThrowStatement(node) ||
  ts.isReturnStatement(node) ||
  ts.isContinueStatement(node) ||
  ts.isExpressionStatement(node);
const isCondition = (node) =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node);
/** `a === b` and `!a` have another mutant that is their negation. */
const isNegatedElsewhere = (node) => /^([^&|?]*[!=]==[^&|?]*|![^&|?]*)$/.test(node.getText());
/** A list of columns to read, such as `{ id: true, project: { select: { slug: true } } }`. */
const isColumns = (node) => /^\{[\w\s:,{}]*\btrue\b[\w\s:,{}]*\}$/.test(node.getText());
const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
/** The only property of an object that another mutant leaves out as a whole. */
const isAlone = ({ parent, properties }) =>
  properties.length === 1 && (ts.isArrayLiteralExpression(parent) || ts.isReturnStatement(parent));

/** The changes of one node: a label, and the text that replaces the node. */
function* changesOf(node) {
  const text = node.getText();
  if (isStatement(node)) yield ['left out', '{}'];
  if (ts.isBinaryExpression(node) && SWAPPED.has(node.operatorToken.kind)) {
    const swapped = SWAPPED.get(node.operatorToken.kind);
    yield [
      `${node.operatorToken.getText()} -> ${swapped}`,
      `((${node.left.getText()}) ${swapped} (${node.right.getText()}))`,
    ];
  }
  if (isCondition(node) && !isNegatedElsewhere(node)) yield ['negated', `!(${text})`];
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    yield ['without !', node.operand.getText()];
  if (node.kind === Kind.TrueKeyword && !isColumns(node.parent.parent)) yield ['true -> false', 'false'];
  if (node.kind === Kind.FalseKeyword) yield ['false -> true', 'true'];
  if (ts.isArrayLiteralExpression(node) && !node.elements.every(isText)) yield* eachLeftOut(node.elements, '[', ']');
  if (ts.isObjectLiteralExpression(node) && !isColumns(node) && !isAlone(node))
    yield* eachLeftOut(node.properties, '({', '})');
  if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) yield* sqlChanges(text);
}

function* eachLeftOut(parts, open, close) {
  for (const part of parts) {
    if (/^select\b/.test(part.getText())) continue; // without it, a query only reads more columns
    const rest = parts.filter((each) => each !== part).map((each) => each.getText());
    yield [`without ${part.getText()}`, open + rest.join(', ') + close];
  }
}

/**
 * Leaves out each condition of a query, whether it stands in a `where` or an `on`, or is a part of one in brackets. In a list of `and`
 * it becomes true, in a list of `or` it becomes false.
 */
function* sqlChanges(text) {
  if (!/\b(select|update|delete)\b/i.test(text)) return;
  const words = [...text.matchAll(/\$\{[^}]*\}|'[^']*'|[\w.$"]+|\S/g)];
  for (const [i, [word]] of words.entries()) {
    if (!/^(where|on|\()$/i.test(word)) continue;
    const { terms, isOr } = termsFrom(words, i + 1);
    if (word === '(' && terms.length < 2) continue;
    for (const [first, last] of terms) {
      const [start, end] = [words[first].index, words[last].index + words[last][0].length];
      const value = isOr ? 'false' : 'true';
      if (text.slice(start, end) !== value)
        yield [`${text.slice(start, end)} -> ${value}`, text.slice(0, start) + value + text.slice(end)];
    }
  }
}

/** Conditions joined by `and` or `or`, as numbers of their first and last word. */
function termsFrom(words, from) {
  const terms = [];
  let [depth, start, isOr, i] = [0, from, false, from];
  for (; i < words.length; i++) {
    const word = words[i][0].toLowerCase();
    if (word === '(') depth++;
    else if (word === ')' && depth-- === 0) break;
    if (depth > 0) continue;
    if (/^(left|join|cross|where|order|group|limit|returning|for|union|from|on|`)$/.test(word)) break;
    if (word !== 'and' && word !== 'or') continue;
    isOr ||= word === 'or';
    terms.push([start, i - 1]);
    start = i + 1;
  }
  if (i > start) terms.push([start, i - 1]);
  return { terms, isOr };
}

const short = (text) => text.replaceAll(/\s+/g, ' ').replace(/^(.{100}).+$/, '$1 ...');

/** Returns each mutant: its file and line, its name in equivalent.mjs, and the whole source with the change. */
export function mutantsOf(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    const [start, end] = [node.getStart(), node.getEnd()];
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    for (const [label, replacement] of changesOf(node)) {
      const name = `${short(node.getText())} [${short(label)}]`;
      mutants.push({ file, line, name, text: source.slice(0, start) + replacement + source.slice(end) });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  return mutants;
}
