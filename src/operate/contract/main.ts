// `npm run contract` generates openapi.yaml from the code, and from openapi.yaml the types of the TypeScript client and the schema of
// configuration files; and docs/providers.md from the provider files. With `--check` it writes nothing and fails if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createApp } from '../../app.js';
import { builtInProvider, builtInText, builtInTypes } from '../../dispatcher/provider/built-in.js';
import { providersPage } from '../../dispatcher/provider/page/providers-page.js';
import { readConfig } from '../../platform/config/config.js';
import { root } from '../../platform/config/root.js';
import { version } from '../../platform/config/version.js';
import { clientTypes } from './client-types.js';
import { buildDocument } from './document.js';
import { provisioningSchema } from './provisioning-schema.js';

const app = await createApp(
  readConfig({ LOG_LEVEL: 'error', SECRET_KEY: Buffer.alloc(32).toString('base64') }),
  'postgresql://nowhere/',
);
const document = buildDocument(app, version);
const files = {
  'openapi.yaml': stringify(document, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
  'clients/typescript/src/schema.ts': clientTypes(document),
  'docs/providers.md': providersPage(
    builtInTypes().map((type) => ({ provider: builtInProvider(type), text: builtInText(type) })),
  ),
  'src/operate/provisioning/provisioning.schema.json': `${JSON.stringify(provisioningSchema(document), null, 2)}\n`,
};

for (const [name, text] of Object.entries(files)) {
  const file = join(root, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    console.log(`${name} written`);
  } else if (readFileSync(file, 'utf8') === text) {
    console.log(`${name} is up to date`);
  } else {
    console.error(`${name} is out of date: run \`npm run contract\` and review the difference`);
    process.exitCode = 1;
  }
}
