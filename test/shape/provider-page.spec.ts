import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { builtInProvider, builtInText, builtInTypes } from '../../src/dispatcher/provider/built-in.js';
import { providersPage } from '../../src/dispatcher/provider/page/providers-page.js';
import { root } from '../../src/platform/config/root.js';

it('docs/providers.md says what the provider files say: `npm run contract` writes it', () => {
  const files = builtInTypes().map((type) => ({ provider: builtInProvider(type), text: builtInText(type) }));
  expect(readFileSync(join(root, 'docs/providers.md'), 'utf8')).toBe(providersPage(files));
});
