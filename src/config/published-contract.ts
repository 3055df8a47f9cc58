import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './root.js';

/**
 * The committed `openapi.yaml`. `npm run check` fails if it differs from the code. It is read and parsed when it is first asked for:
 * parsing took two thirds of the CPU time of a start, and few processes need it.
 */
class PublishedContract {
  private readText?: string;
  private parsed?: object;

  get text(): string {
    return (this.readText ??= readFileSync(join(root, 'openapi.yaml'), 'utf8'));
  }

  get document(): object {
    return (this.parsed ??= parse(this.text) as object);
  }
}

export const publishedContract = new PublishedContract();
