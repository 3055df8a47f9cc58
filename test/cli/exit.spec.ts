import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../src/operate/cli/command/program.js';
import { root } from '../../src/platform/config/root.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service, spawnCarillon } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { isLong } from '../support/long.js';

type Env = Record<string, string>;

interface Calls {
  /** What it works on. Left out: the database. */
  on?: 'service' | 'files';
  /** Arguments that the command accepts. Null: it runs until it is stopped. */
  accepted: string[] | null;
  /** Arguments that are refused after the database was opened, or because of a file. */
  refused: string[][];
  /** Added to all of them. */
  args?: string[];
}

const EVENT = 'acme/shop/web/order-paid';
const ABSENT = '0197f3a0-5c1e-7d8e-9b1a-2f6d0c3b4a59';
const NO_ORG = ['--org', 'nobody'];
const members = ['--project', 'shop', '--list', 'Staff'];

/** A new command needs an entry here. `FOLDER` is a folder with the files that `beforeAll` writes. */
const CALLS: Record<string, Calls> = {
  start: { accepted: null, refused: [[]] },
  migrate: { accepted: [], refused: [] },
  apply: {
    accepted: ['FOLDER/good.yaml'],
    refused: [['FOLDER/bad.yaml'], ['FOLDER/worse.yaml'], ['FOLDER/none.yaml'], ['FOLDER/empty.yaml', '--prune']],
  },
  plan: { accepted: null, refused: [['FOLDER/bad.yaml'], ['FOLDER/none.yaml']] },
  validate: {
    on: 'files',
    accepted: ['FOLDER/good.yaml'],
    refused: [['FOLDER/bad.yaml'], ['FOLDER/worse.yaml'], ['FOLDER/none.yaml']],
  },
  preview: {
    on: 'files',
    accepted: ['FOLDER/templates.yaml'],
    refused: [['FOLDER/bad.yaml'], ['FOLDER/good.yaml'], ['FOLDER/templates.yaml', '--context', '{']],
  },
  'export config': { accepted: ['--org', 'acme'], refused: [NO_ORG] },
  'export users': { accepted: ['--org', 'acme'], refused: [NO_ORG, ['--org', 'acme', '--out', 'FOLDER/none/x']] },
  'export members': { accepted: null, refused: [[...NO_ORG, ...members]] },
  'import users': {
    accepted: ['FOLDER/users.csv', '--org', 'acme'],
    refused: [
      ['FOLDER/users.csv', ...NO_ORG],
      ['FOLDER/bad.csv', '--org', 'acme'],
      ['FOLDER/none.csv', ...NO_ORG],
    ],
  },
  'import members': { accepted: null, refused: [['FOLDER/users.csv', ...NO_ORG, ...members]] },
  trigger: {
    on: 'service',
    accepted: [EVENT, '--context', '{}'],
    refused: [['acme'], ['acme/shop/web/none'], [EVENT, '--context', '{'], [EVENT, '--timeout', 'x']],
  },
  simulate: { on: 'service', accepted: [EVENT], refused: [['acme'], [EVENT, '--at', 'x']] },
  explain: { on: 'service', accepted: null, refused: [[`acme/${ABSENT}`], ['acme']] },
  tail: {
    on: 'service',
    accepted: ['acme', '--count', '1'],
    refused: [['acme/'], ['acme', '--last', 'x'], ['none']],
    args: ['--reconnect', '0'],
  },
  'user list': { on: 'service', accepted: ['acme'], refused: [['none'], ['acme', '--limit', 'x']] },
  'user get': { on: 'service', accepted: ['acme/ann@acme.test'], refused: [['acme/x'], ['acme']] },
  'user create': { on: 'service', accepted: ['acme/eve@acme.test'], refused: [['acme/x'], ['acme']] },
  'user update': { on: 'service', accepted: ['acme/ann@acme.test', '--lock'], refused: [['acme/ann@acme.test']] },
  'user put': { on: 'service', accepted: ['acme/joe@acme.test', '--data', '{}'], refused: [['acme/x', '--data', '{']] },
  'user delete': { on: 'service', accepted: ['acme/dan@acme.test'], refused: [['acme/x']] },
  'channel test': { on: 'service', accepted: ['acme/log'], refused: [['acme/none'], ['acme']] },
  'channel check': { on: 'service', accepted: null, refused: [['acme/none'], ['acme/log'], ['acme']] },
  'profile add': {
    on: 'files',
    accepted: ['x', '--url', 'SERVICE', '--key', 'KEY'],
    refused: [
      ['x'],
      ['x', '--url', 'x'],
      ['x/y', '--url', 'SERVICE'],
      ['x', '--url', 'http://127.0.0.1:1', '--key', 'x'],
    ],
  },
  'profile list': { on: 'files', accepted: [], refused: [['x']] },
  'profile use': { on: 'files', accepted: ['test'], refused: [['none']] },
  'profile remove': { on: 'files', accepted: ['gone'], refused: [['none']] },
  'key create': {
    accepted: ['--org', 'acme', '--name', 'test', '--all'],
    refused: [
      [...NO_ORG, '--name', 'test', '--all'],
      ['--name', 'test'],
    ],
  },
  'key list': { accepted: [], refused: [NO_ORG] },
  'key revoke': { accepted: ['1'], refused: [['999'], ['x']] },
  console: { accepted: [], refused: [NO_ORG] },
  'suppression list': { accepted: ['--org', 'acme'], refused: [NO_ORG] },
  'suppression add': {
    accepted: ['--org', 'acme', '--value', 'ann@acme.test'],
    refused: [
      [...NO_ORG, '--value', 'ann@acme.test'],
      ['--org', 'acme', '--value', 'ann@acme.test', '--cause', 'x'],
    ],
  },
  'suppression lift': { accepted: ['1'], refused: [['999'], ['x']] },
  'quota list': { accepted: [], refused: [NO_ORG] },
  'quota set': { accepted: ['--org', 'acme', '--stored-mb', '5'], refused: [[...NO_ORG, '--stored-mb', '5']] },
  'dkim create': { on: 'files', accepted: ['acme.test'], refused: [['x'], ['acme.test', '--type', 'x']] },
  'dkim record': {
    on: 'files',
    accepted: null,
    refused: [['acme.test', 'FOLDER/none.pem', '--selector', 'x']],
  },
  'provider list': { on: 'files', accepted: [], refused: [] },
  'provider show': { on: 'files', accepted: ['postmark'], refused: [['x']] },
  'provider describe': { on: 'files', accepted: ['postmark'], refused: [['FOLDER/none.yaml']] },
  'provider test': { on: 'files', accepted: null, refused: [['FOLDER/none.yaml']] },
  reseal: { accepted: [], refused: [] },
  'audit verify': { accepted: [], refused: [NO_ORG, ['--heads', 'FOLDER/none.json']] },
  cells: { accepted: null, refused: [[]] },
  move: {
    accepted: null,
    refused: [
      ['acme', '--to', '1'],
      ['acme', '--to', 'x'],
    ],
  },
  doctor: { accepted: [], refused: [] },
  completion: { on: 'files', accepted: ['bash'], refused: [['sh'], []] },
};

/** How long a command may take to exit after its last line. */
const LAST_LINE_TO_EXIT_MS = 1000;
const TRIES = 3;

const GOOD = `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: log, name: Log, type: log }]
    projects: [{ slug: shop, name: Shop, applications: [{ slug: web, name: Web, events: [{ slug: order-paid, name: Paid }] }] }]`;

const TELL = '{ name: Tell, to: recipients, templates: [{ channel: log, markdown: "**Hi**" }] }';

const folder = createFolder();
let database: TestDatabase;
let app: TestApp;
let key: string;
let occupied: Server;
let silent: Server;
let rude: Server;
const open = new Set<Socket>();

const listen = async (onConnection: (socket: Socket) => void) => {
  const server = createServer(onConnection);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  database = await createDatabase();
  silent = await listen((socket) => void open.add(socket.on('error', () => undefined)));
  rude = await listen((socket) => void socket.once('data', () => socket.destroy()));
  occupied = await listen((socket) => socket.destroy());
  const files = {
    'good.yaml': GOOD,
    'templates.yaml': GOOD.replace('name: Paid', `name: Paid, notifications: [${TELL}]`),
    'bad.yaml': 'organizations: 5',
    'worse.yaml': 'organizations: [{ slug: acme, name: Acme, channels: [{ slug: c, name: C, type: pigeon }] }]',
    'empty.yaml': 'organizations: [{ slug: acme, name: Acme, users: [] }]',
    'users.csv': 'email\nann@acme.test\ndan@acme.test\n',
    'bad.csv': 'nothing\nann@acme.test\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  await Service.run(['apply', join(folder.path, 'good.yaml')], { DATABASE_URL: database.url });
  await Service.run(['import', 'users', join(folder.path, 'users.csv'), '--org', 'acme'], {
    DATABASE_URL: database.url,
  });
  app = await TestApp.start({}, database);
  key = await app.key({ org: 'acme' });
  await app.as(key).post('/api/o/acme/p/shop/a/web/e/order-paid/trigger/').send({});
  const profiles = { test: { url: app.url, key }, gone: { url: app.url, key } };
  mkdirSync(join(folder.path, 'carillon'));
  writeFileSync(join(folder.path, 'carillon', 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 });
});

afterAll(async () => {
  for (const socket of open) socket.destroy();
  for (const server of [silent, rude, occupied]) server.close();
  await app.stop();
  folder.remove();
});

const leaves = (command: Command, path: string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));

const PROGRAM = leaves(createProgram());
const COMMANDS = PROGRAM.map(([name]) => name);
const PRINTS_JSON = new Set(
  PROGRAM.filter(([, { options }]) => options.some(({ long }) => long === '--json')).map(([name]) => name),
);

interface Ended {
  code: number | null;
  output: string;
  stdout: string;
  /** From its last line to its end. */
  lateMs: number;
}

function lineOf(command: string, args: string[], env: Env): [words: string[], env: Env] {
  const words = [...args, ...(CALLS[command]!.args ?? [])].map((arg) =>
    arg.replace('FOLDER', folder.path).replace('SERVICE', app.url).replace('KEY', key),
  );
  const service = CALLS[command]!.on === 'service' && { CARILLON_URL: app.url, CARILLON_KEY: key };
  const paths = { DATA_DIR: folder.path, XDG_CONFIG_HOME: folder.path };
  const all = { DATABASE_URL: database.url, ...paths, PORT: String(portOf(occupied)), ...service, ...env };
  return [[...command.split(' '), ...words], all];
}

/** Waits for its end however late that is: a command that never ends makes the test fail by its time limit. */
async function run(command: string, args: string[], env: Env): Promise<Ended> {
  const child = spawnCarillon(...lineOf(command, args, env), root, folder.path);
  let output = '';
  let lastAt = performance.now();
  const note = (chunk: Buffer) => {
    output += chunk.toString();
    lastAt = performance.now();
  };
  let stdout = '';
  child.stdout!.on('data', note).on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on('data', note);
  child.stdin!.end();
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output, stdout, lateMs: performance.now() - lastAt };
}

/** A machine that is busy with something else may delay one exit, not three. */
async function runInTime(command: string, args: string[], env: Env = {}): Promise<Ended> {
  for (let tries = 1; ; tries++) {
    const ended = await run(command, args, env);
    if (ended.lateMs < LAST_LINE_TO_EXIT_MS || tries === TRIES) return ended;
  }
}

/** In the test's own process, which shows what it refuses, but not that it exits. */
async function runHere(command: string, args: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await cli(...lineOf(command, args, {}));
  return { code, output: stdout + stderr, stdout, lateMs: 0 };
}

it('knows every command', () => {
  expect(COMMANDS).toEqual(Object.keys(CALLS));
});

const validArgs = (command: string) => CALLS[command]!.accepted ?? CALLS[command]!.refused[0]!;
const databaseAt = (port: number) => ({ DATABASE_URL: `postgresql://carillon:x@127.0.0.1:${port}/carillon` });

/** One for each way to open the database. All are tried in long runs. */
const OPENERS = ['start', 'migrate', 'apply', 'key list', 'move', 'doctor'];

// At once: each waits for some seconds.
it('exits when the database does not answer, whatever the command', async () => {
  const commands = COMMANDS.filter((command) =>
    isLong ? CALLS[command]!.on === undefined : OPENERS.includes(command),
  );
  const runs = commands.map(async (command) =>
    verdict(command, await runInTime(command, validArgs(command), databaseAt(portOf(silent)))),
  );
  expect(await Promise.all(runs)).toEqual(commands.map((command) => inTime(command, 1)));
});

/** All commands share the code that refuses these. One of each kind is enough, except in long runs: each run of a command takes up to a second. */
const TRIED = ['migrate', 'user list'];

function unreachable(command: string, valid: string[]): Record<string, Promise<Ended>> {
  const { on = 'database' } = CALLS[command]!;
  if (on === 'files' || !(isLong || TRIED.includes(command))) return {};
  if (on === 'service')
    return {
      'an invalid address': runInTime(command, valid, { CARILLON_URL: 'localhost' }),
      'a wrong key': runInTime(command, valid, { CARILLON_KEY: 'wrong' }),
      'a service that closes connections': runInTime(command, valid, {
        CARILLON_URL: `http://127.0.0.1:${portOf(rude)}`,
      }),
      // `fetch` connects again and again, until the command's time is over.
      ...(isLong && {
        'a service that closes connections at once': runInTime(command, valid, {
          CARILLON_URL: `http://127.0.0.1:${portOf(occupied)}`,
        }),
      }),
    };
  return {
    'an invalid setting': runInTime(command, valid, { DATABASE_URL: 'http://localhost' }),
    'a database that refuses connections': runInTime(command, valid, databaseAt(1)),
  };
}

it.each(COMMANDS)('%s exits when it is done, and whatever it refuses', async (command) => {
  const { accepted, refused } = CALLS[command]!;
  const valid = validArgs(command);
  // A process takes up to a second, and ends the same way whatever the command (src/main.ts). So a short run starts one for each command: for
  // what it accepts, or else for the first thing that it refuses.
  const processCount = isLong ? refused.length : accepted && !TRIED.includes(command) ? 0 : 1;
  const [processes, others] = [refused.slice(0, processCount), refused.slice(processCount)];
  const refusals: Record<string, Promise<Ended>> = {
    ...((isLong || TRIED.includes(command)) && {
      'an unknown option': runInTime(command, [...valid, '--no-such-option']),
    }),
    ...unreachable(command, valid),
    ...Object.fromEntries(processes.map((args) => [args.join(' '), runInTime(command, args)])),
  };
  for (const args of others)
    expect(verdict(args.join(' '), await runHere(command, args))).toEqual(inTime(args.join(' '), 1));
  for (const [kind, refusal] of Object.entries(refusals)) expect(verdict(kind, await refusal)).toEqual(inTime(kind, 1));
  if (!accepted) return;
  const done = await runInTime(command, PRINTS_JSON.has(command) ? [...accepted, '--json'] : accepted);
  expect(verdict('accepted', done)).toEqual(inTime('accepted', 0));
  if (PRINTS_JSON.has(command)) expectJson(command, done.stdout);
});

/** One document, or one on each line. */
function expectJson(command: string, stdout: string): void {
  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toEqual(expect.anything());
  if (!['tail', 'user list', 'export users'].includes(command)) expect(lines).toHaveLength(1);
}

const verdict = (kind: string, { code, output, lateMs }: Ended) => ({
  ...{ kind, code, output },
  isLate: lateMs >= LAST_LINE_TO_EXIT_MS,
});

const inTime = (kind: string, code: number) => ({
  ...{ kind, code, isLate: false },
  output: expect.stringMatching(/\S/),
});
