import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { readDocument } from './document.js';
import type { Document } from './document.js';
import { runInShell } from './shell.js';

const METRICS_PORT = '19464';

const { path: folder, remove } = createFolder();
let service: Service;
let mails: SmtpSink;
let key: string;

beforeAll(async () => {
  for (const name of ['clients', 'examples', 'src']) symlinkSync(join(root, name), join(folder, name)); // as in a clone
  mails = await SmtpSink.start();
  service = await start();
  key = /API key +(crl_\S+)/.exec(service.output)![1]!;
});
afterAll(async () => {
  await service?.stop();
  await mails?.close();
  remove();
});

const start = (env: Record<string, string> = {}) =>
  Service.start({ DATA_DIR: join(folder, 'data'), LOG_FORMAT: 'pretty', ...env });

/** The text of a document as it is on this machine: where the service listens, and its key. */
const here = (text: string) =>
  text
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replaceAll('crl_1f0c...', key)
    .replaceAll('crt_4d0e...', /#t=(\S+)/.exec(service.output)?.[1] ?? '')
    .replaceAll('127.0.0.1:9464', `127.0.0.1:${METRICS_PORT}`)
    .replaceAll('"port": 1025', `"port": ${mails.port}`);

/** A machine that is busy with other tests needs longer than the reader's. */
const patient = (command: string) =>
  process.env.CI === 'true'
    ? command.replace(/\bsleep (\d+)/g, (_, seconds: string) => `sleep ${Number(seconds) * 4}`)
    : command;

// Commands that the test stands in for: the service and a mail catcher run already. Or that need a machine of their own, or ask a person.
const NOT_RUN =
  /^(\w+=\S+ )?npm (start|test|ci|run|install|pack)|^npx carillon start|--prune|^npx --yes maildev|^until curl|docker compose|^echo .* >> \.env|^git clone/;

/** Runs a document from top to bottom. Every command must succeed, and print what the document shows (`...` is anything). */
async function follow({ steps, files }: Document): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const run = steps.filter(({ command }) => !NOT_RUN.test(command));
  const commands = run.map(({ command }) => patient(here(command)));
  const env = { DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config'), KEY: key };
  const ran = await runInShell(folder, env, commands);
  expect(ran.map(({ command }) => command)).toEqual(commands);
  return ran.flatMap(({ command, code, output }, i) => {
    const missing = run[i]!.shown.filter((line) => !shows(output, here(line)));
    // A dry run that would change something says so by its exit code.
    const isDone = code === 0 || (code === 2 && command.includes('--dry-run'));
    const isWrong = !isDone || output.includes('urn:carillon:problem') || missing.length > 0;
    return isWrong ? [`$ ${command}\n${output}exit code ${code}, not shown: ${missing.join(' | ')}`] : [];
  });
}

function shows(output: string, line: string): boolean {
  const literal = line.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(literal.join('.*')).test(output);
}

it('the commands that the service prints work when they are pasted at once', async () => {
  await until(30_000, () => service.output.includes('delivery is dead')); // the service has warmed up
  const printed = service.output
    .split('Try it ')[1]!
    .split('\n')
    .filter((line) => line.startsWith('  '));
  const [all] = await runInShell(folder, {}, [patient(printed.join('\n'))]);
  expect(all!.output).toContain('"subject":"Order A-17 paid"');
  expect(all!.output).toContain('the condition \\"total > `1000`\\" was false with total = 80');
  expect(all!.output).toContain('127.0.0.1 is not allowed: it has a loopback address.');
  expect(all!.output).toContain('{"retrying":1}\n');
});

it('README.md shows what the service prints', () => {
  const { steps } = readDocument('README.md');
  const { shown } = steps.find(({ command }) => command === 'npm start')!;
  const banner = shown.filter((line) => !/^(Installing|Building) /.test(line));
  expect(banner.length).toBeGreaterThan(10);
  expect(banner.filter((line) => !service.output.includes(here(line)))).toEqual([]);
});

it.each([
  'docs/management.md',
  'docs/signing-in.md',
  'README.md',
  'docs/config-as-code.md',
  'docs/operations.md',
  'docs/preferences.md',
  'docs/inbox.md',
  'docs/devices.md',
  'docs/inbox-element.md',
  'docs/command-line.md',
  'examples/web-app/README.md',
])('%s works as it is written', async (name) => expect(await follow(readDocument(name))).toEqual([]));

it('docs/recipes.md works as it is written', async () => {
  await service.stop();
  service = await start({ OUTBOUND_ALLOW: '127.0.0.1', METRICS_PORT });
  expect(await follow(readDocument('docs/recipes.md'))).toEqual([]);
});
