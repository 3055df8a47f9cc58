// `npm run contract` writes openapi.yaml from the code; with `--check` it compares, and fails when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createApp } from '../app.js';
import { readConfig } from '../config/config.js';
import { version } from '../config/version.js';
import { root } from '../config/root.js';
import { buildDocument } from './document.js';

const file = join(root, 'openapi.yaml');
const app = await createApp(
  readConfig({ LOG_LEVEL: 'error', SECRET_KEY: Buffer.alloc(32).toString('base64') }),
  'postgresql://nowhere/',
);
const text = stringify(buildDocument(app, version), { lineWidth: 120, aliasDuplicateObjects: false });

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('openapi.yaml written');
} else if (readFileSync(file, 'utf8') === text) {
  console.log('openapi.yaml is what the code serves');
} else {
  console.error('openapi.yaml differs from the code: run `npm run contract` and read the difference');
  process.exitCode = 1;
}
