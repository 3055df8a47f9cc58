import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import { readDocument } from '../docs/document.js';

const folder = createFolder();
afterAll(() => folder.remove());

const { steps, files } = readDocument('docs/add-a-provider.md');
const file = join(folder.path, 'beacon.yaml');
writeFileSync(file, files['beacon.yaml']!);

it.each(steps)('docs/add-a-provider.md works as it is written: $command', async ({ command, shown }) => {
  const args = command.replace('npx carillon ', '').replace('beacon.yaml', file).split(' ');
  const { code, stdout } = await cli(args, {});
  expect(code).toBe(0);
  for (const line of shown) for (const part of line.split('...')) expect(stdout).toContain(part);
});

it('names the line of a mistake', async () => {
  const wrong = join(folder.path, 'wrong.yaml');
  writeFileSync(wrong, files['beacon.yaml']!.replace('message.to ', 'message.too '));
  const { code, stderr } = await cli(['provider', 'test', wrong], {});
  expect(code).toBe(1);
  expect(stderr).toContain(`${wrong}:19: request.json.to is not valid: there is no message.too`);
});

it('fails if an example sends something else', async () => {
  const wrong = join(folder.path, 'other.yaml');
  writeFileSync(wrong, files['beacon.yaml']!.replace('from: Acme, text', 'from: Other, text'));
  const { code, stdout, stderr } = await cli(['provider', 'test', wrong], {});
  expect(code).toBe(1);
  expect(stdout).toContain('FAILED  accepted');
  expect(stderr).toContain('1 of 6 examples failed');
});

it('a file of the operator is a channel type, and a broken one is refused', async () => {
  const dir = join(folder.path, 'providers');
  mkdirSync(dir);
  writeFileSync(join(dir, 'beacon.yaml'), readFileSync(file));
  const channels = join(folder.path, 'channels.yaml');
  const config = '{ token: t, sender: Acme }';
  writeFileSync(
    channels,
    `organizations: [{ slug: acme, name: Acme, channels: [{ slug: sms, name: SMS, type: beacon, config: ${config} }] }]\n`,
  );
  const valid = await cli(['validate', channels], { PROVIDERS_DIR: dir });
  expect([valid.code, valid.stderr]).toEqual([0, '']);
  expect((await cli(['validate', channels], {})).stderr).toContain('is not a channel type');
  writeFileSync(join(dir, 'second.yaml'), readFileSync(file));
  expect((await cli(['validate', channels], { PROVIDERS_DIR: dir })).stderr).toContain(
    'two dispatchers have the type "beacon"',
  );
});
