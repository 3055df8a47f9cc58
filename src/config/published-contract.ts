import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './root.js';

/**
 * The committed `openapi.yaml`, which a check holds equal to the code. Read and parsed when somebody first asks for it: parsing took
 * two thirds of the CPU time that starting the app costs, and few processes are ever asked.
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
