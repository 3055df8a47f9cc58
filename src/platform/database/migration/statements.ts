// One alternative for each thing in which a semicolon ends nothing: comments, strings, names, dollar-quoted texts.
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;|[^;]/g;

const COMMENT = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** The statements of a migration file, without the comments before each. Bodies of functions must be quoted (no `BEGIN ATOMIC`). */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token !== ';') {
      current += token;
      continue;
    }
    statements.push(current);
    current = '';
  }
  return [...statements, current].map((text) => text.replace(COMMENT, '').trim()).filter(Boolean);
}

const SHOWN = 100;

/** A statement on one line, to be read. */
export function inShort(sql: string): string {
  const line = sql.replace(COMMENT, '').replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)} ...` : line;
}
