import { text } from '../text/text';

/** Reads an object that somebody types. `fault` says what is wrong, with its line if the browser tells. */
export function readJson(source: string): { value: unknown; fault: string | null } {
  if (source.trim() === '') return { value: null, fault: null };
  try {
    const value: unknown = JSON.parse(source);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value, fault: null } : { value: null, fault: text.editor.notAnObject };
  } catch (error) {
    return { value: null, fault: withPlace((error as Error).message, source) };
  }
}

/** Browsers say `position 17` or `line 2 column 5`; the editor wants `line:2, col:5`. */
function withPlace(message: string, source: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line) return `${message}, line:${line}, col:${column}`;
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (!position) return message;
  const before = source.slice(0, Number(position)).split('\n');
  return `${message}, line:${before.length}, col:${before.at(-1)!.length + 1}`;
}
