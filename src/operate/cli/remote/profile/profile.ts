import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Session } from '../../../../../clients/typescript/src/schema.js';
import { CommandError, aligned, print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import type { RemoteService } from '../client.js';
import { checkKey, checkUrl } from '../options.js';
import { findProfile, profileFile, readProfiles, writeProfiles } from './profile-file.js';

export interface AddProfileOptions extends PrintOptions {
  url?: string;
  key?: string;
  check: boolean;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

export async function add(name: string, options: AddProfileOptions): Promise<void> {
  if (!NAME.test(name))
    throw new CommandError(
      `the name of a profile has letters, digits, dots, - and _, and starts with a letter or digit`,
    );
  if (options.url === undefined) throw new CommandError('say where the service is: --url URL');
  const url = checkUrl(options.url);
  const file = profileFile();
  readProfiles(); // before the user types a key
  const service = { url, key: checkKey(options.key ?? (await readKey())) };
  const reach = options.check ? await reachOf(service) : null;
  const { current, profiles } = readProfiles();
  writeProfiles({ current: current ?? name, profiles: { ...profiles, [name]: service } });
  const isCurrent = (current ?? name) === name;
  const said = reach === null ? '' : `, which reaches ${reach}`;
  const use = isCurrent
    ? 'It is the current profile'
    : `Use it with --profile ${name}, or make it current: carillon profile use ${name}`;
  await print(
    options,
    { name, url, reach, current: isCurrent, file },
    `stored ${url} and its key${said}, in ${file}\n${use}`,
  );
}

/** The part of the service that a key reaches. Fails if the service does not know the key. */
async function reachOf(service: RemoteService): Promise<string> {
  const session = await new RemoteClient(service).send<Session>('GET', '/api/session/');
  const { organization, project, application } = session;
  return [organization, project, application].filter((slug) => slug !== null).join('/') || 'every organization';
}

/** From a pipe, or from a prompt that does not show it. An argument would stay in the history of the shell. */
async function readKey(): Promise<string> {
  const key = (process.stdin.isTTY ? await ask('API key (it is not shown): ') : await text(process.stdin)).trim();
  if (!key) throw new CommandError('no key was given: type it when you are asked, or pipe it in');
  return key;
}

async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  // Ctrl-C and Ctrl-D close it.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(''), closed]);
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

export async function list(options: PrintOptions): Promise<void> {
  const { current, profiles } = readProfiles();
  const all = Object.entries(profiles).map(([name, { url }]) => ({ name, url, current: name === current }));
  const lines = all.map(({ name, url, current: is }) => [name, url, is ? 'current' : '']);
  await print(options, all, lines.length === 0 ? 'no profiles' : aligned([['NAME', 'URL', ''], ...lines]));
}

export async function use(name: string, options: PrintOptions): Promise<void> {
  const before = readProfiles();
  const { url } = findProfile(before, name);
  writeProfiles({ ...before, current: name });
  await print(options, { name, url, current: true }, `${name} (${url}) is the current profile`);
}

export async function remove(name: string, options: PrintOptions): Promise<void> {
  const { current, profiles } = readProfiles();
  findProfile({ current, profiles }, name);
  const { [name]: _, ...others } = profiles;
  writeProfiles({ current: current === name ? null : current, profiles: others });
  await print(options, { name, removed: true }, `profile ${name} is removed; its key stays valid until you revoke it`);
}
