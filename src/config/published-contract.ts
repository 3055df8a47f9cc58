import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './root.js';

/** The committed `openapi.yaml`. `npm run check` fails if it differs from the code. */
export function publishedContract(): { text: string; document: object } {
  const text = readFileSync(join(root, 'openapi.yaml'), 'utf8');
  return { text, document: parse(text) as object };
}
