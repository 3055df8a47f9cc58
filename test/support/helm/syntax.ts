/** The syntax of Go templates, as far as the chart uses it: a template becomes a tree. */

export type Operand =
  | { kind: 'literal'; value: unknown }
  /** `.a.b`, `$.a` or `$name.a`; `from` null: the dot. */
  | { kind: 'path'; from: string | null; fields: string[] }
  | { kind: 'group'; pipeline: Pipeline }
  | { kind: 'function'; name: string };
export type Pipeline = Operand[][];

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipeline: Pipeline }
  | { kind: 'declare'; name: string; pipeline: Pipeline }
  | { kind: 'if' | 'with'; pipeline: Pipeline; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; names: string[]; pipeline: Pipeline; body: Node[] }
  | { kind: 'define'; name: string; body: Node[] };

const ACTION = /\{\{(-?)\s*((?:"[^"]*"|\/\*[\s\S]*?\*\/|[^"}])*?)\s*(-?)\}\}/g;
const TOKEN = /\s*("[^"]*"|\d+|[|()]|\$?\w*(?:\.\w+)+|\$\w*|\.|\w+)/y;

interface Piece {
  text?: string;
  action?: string;
}

export function parseTemplate(text: string): Node[] {
  return parseUntil(split(text), []);
}

/** Texts and actions in turn. A hyphen in an action trims the space on its side. */
function split(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let isTrimmed = false;
  const add = (part: string, trimEnd: boolean) => {
    if (part.includes('{{')) throw new Error(`no action: ${part.slice(part.indexOf('{{'), part.indexOf('{{') + 60)}`);
    const start = isTrimmed ? part.trimStart() : part;
    pieces.push({ text: trimEnd ? start.trimEnd() : start });
  };
  for (const match of text.matchAll(ACTION)) {
    add(text.slice(end, match.index), match[1] === '-');
    if (!match[2]!.startsWith('/*')) pieces.push({ action: match[2]! });
    isTrimmed = match[3] === '-';
    end = match.index + match[0].length;
  }
  add(text.slice(end), false);
  return pieces;
}

/** Parses up to one of these words, and leaves it there. */
function parseUntil(pieces: Piece[], words: string[]): Node[] {
  const nodes: Node[] = [];
  for (let piece = pieces[0]; piece; piece = pieces[0]) {
    if (piece.action === 'end' || piece.action?.startsWith('else')) break;
    pieces.shift();
    nodes.push(piece.action === undefined ? { kind: 'text', text: piece.text! } : parseAction(piece.action, pieces));
  }
  const end = pieces[0]?.action;
  return (end === undefined ? words.length === 0 : words.includes(end)) ? nodes : fail(`unexpected {{ ${end} }}`);
}

function parseAction(action: string, pieces: Piece[]): Node {
  const word = action.split(' ')[0]!;
  const rest = action.slice(word.length);
  if (word === 'if' || word === 'with') return parseBranch(word, rest, pieces);
  if (word === 'range') {
    const [, names, list] = /^ (\$\w+(?:, \$\w+)?) := (.*)$/.exec(rest) ?? fail(`cannot read ${action}`);
    return { kind: 'range', names: names!.split(', '), pipeline: parsePipeline(list!), body: block(pieces) };
  }
  if (word === 'define') return { kind: 'define', name: JSON.parse(rest) as string, body: block(pieces) };
  const [, name, value] = /^(\$\w+)\s*:=(.*)$/s.exec(action) ?? [];
  if (name) return { kind: 'declare', name, pipeline: parsePipeline(value!) };
  return { kind: 'print', pipeline: parsePipeline(action) };
}

function block(pieces: Piece[]): Node[] {
  const body = parseUntil(pieces, ['end']);
  pieces.shift();
  return body;
}

function parseBranch(kind: 'if' | 'with', condition: string, pieces: Piece[]): Node {
  const pipeline = parsePipeline(condition);
  const body = parseUntil(pieces, ['end', 'else']);
  const { action } = pieces.shift()!;
  if (action === 'end') return { kind, pipeline, body, otherwise: [] };
  return action === 'else' ? { kind, pipeline, body, otherwise: block(pieces) } : fail(`cannot read ${action}`);
}

function parsePipeline(text: string): Pipeline {
  const tokens = tokensOf(text);
  const pipeline = readPipeline(tokens);
  return tokens.length > 0 ? fail(`unexpected ${tokens[0]} in ${text}`) : pipeline;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) return fail(`cannot read ${text.slice(start)}`);
    tokens.push(match[1]!);
  }
  return tokens;
}

function readPipeline(tokens: string[]): Pipeline {
  const pipeline: Pipeline = [[]];
  while (tokens.length > 0 && tokens[0] !== ')') {
    const token = tokens.shift()!;
    if (token === '|') pipeline.push([]);
    else pipeline.at(-1)!.push(readOperand(token, tokens));
  }
  return pipeline.some((command) => command.length === 0) ? fail('a command is empty') : pipeline;
}

function readOperand(token: string, tokens: string[]): Operand {
  if (token === '(') {
    const pipeline = readPipeline(tokens);
    return tokens.shift() === ')' ? { kind: 'group', pipeline } : fail('a parenthesis is open');
  }
  if (/^["\d]/.test(token)) return { kind: 'literal', value: JSON.parse(token) };
  if (/^\w/.test(token)) return { kind: 'function', name: token };
  const [first, ...fields] = token.split('.').filter((part, n) => n === 0 || part !== '');
  return { kind: 'path', from: first || null, fields };
}

function fail(sentence: string): never {
  throw new Error(sentence);
}
