import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../src/platform/config/root.js';

/** A command of a document, and the lines that the document shows as its output. */
export interface Step {
  command: string;
  shown: string[];
}

/** What a reader does with a document: types its commands, and saves its files. */
export interface Document {
  steps: Step[];
  /** Blocks whose first line is a comment with a name: `# mail.yaml`. */
  files: Record<string, string>;
}

export function readDocument(name: string): Document {
  const text = readFileSync(join(root, name), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, block]) => ({ kind, block: block! }));
  const named = blocks.flatMap(({ block }) => {
    const file = /^(?:#|\/\/) ([\w-]+\.\w+)\n/.exec(block)?.[1];
    return file ? [[file, block] as const] : [];
  });
  const steps = blocks.filter(({ kind }) => kind === 'console').flatMap(({ block }) => stepsOf(block));
  return { steps, files: Object.fromEntries(named) };
}

function stepsOf(block: string): Step[] {
  const steps: Step[] = [];
  for (const line of block.split('\n')) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] });
    else if (last?.command.endsWith('\\') && last.shown.length === 0) last.command += `\n${line}`;
    else if (line.trim() !== '') last?.shown.push(line);
  }
  return steps;
}
