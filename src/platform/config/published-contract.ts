import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/**
 * The committed `openapi.yaml`, and the same as JSON. `npm run check` fails if it differs from the code. The build makes the JSON:
 * parsing the YAML takes 0.6 s of CPU time.
 */
class PublishedContract {
  private readonly texts = new Map<string, string>();

  get yaml(): string {
    return this.read('openapi.yaml');
  }

  get json(): string {
    return this.read(join('dist', 'openapi.json'));
  }

  private read(file: string): string {
    const text = this.texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    this.texts.set(file, text);
    return text;
  }
}

export const publishedContract = new PublishedContract();
