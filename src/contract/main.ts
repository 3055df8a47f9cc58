// `npm run contract` writes openapi.yaml from the code, and from it the types of the TypeScript client; with `--check` it
// compares, and fails when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createApp } from '../app.js';
import { readConfig } from '../config/config.js';
import { root } from '../config/root.js';
import { version } from '../config/version.js';
import { clientTypes } from './client-types.js';
import { buildDocument } from './document.js';

const app = await createApp(
  readConfig({ LOG_LEVEL: 'error', SECRET_KEY: Buffer.alloc(32).toString('base64') }),
  'postgresql://nowhere/',
);
const document = buildDocument(app, version);
const files = {
  'openapi.yaml': stringify(document, { lineWidth: 120, aliasDuplicateObjects: false }),
  'clients/typescript/src/schema.ts': clientTypes(document),
};

for (const [name, text] of Object.entries(files)) {
  const file = join(root, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    console.log(`${name} written`);
  } else if (readFileSync(file, 'utf8') === text) {
    console.log(`${name} is what the code serves`);
  } else {
    console.error(`${name} differs from the code: run \`npm run contract\` and read the difference`);
    process.exitCode = 1;
  }
}
