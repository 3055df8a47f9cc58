import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { cli } from '../support/app/cli.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';
import { storeKey, withClient } from '../support/world/crowd.js';

let database: TestDatabase;
let folder: TestFolder;

beforeAll(async () => {
  database = await createDatabase('template0');
  folder = createFolder();
});
afterAll(async () => {
  await database.drop();
  folder.remove();
});

it('migrates an empty database once, however many processes start on it together, and creates no demo in yours', async () => {
  const env = { DATABASE_URL: database.url };
  const services = await Promise.all([1, 2].map(() => Service.start({ ...env, LOG_FORMAT: 'pretty' })));
  const ready = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/health/ready`)).status));
  const codes = await Promise.all(services.map((service) => service.stop()));
  expect([ready, codes]).toEqual([
    [200, 200],
    [0, 0],
  ]);
  expect((await cli(['migrate'], env)).stdout).toBe('nothing to apply\n');
  for (const { output } of services) {
    expect(output).not.toMatch(/cr[lt]_/);
    expect(output).toMatch(/Console +npx carillon console\n/);
  }
  const { rowCount } = await withClient(database.url, (client) => client.query('select from api_keys'));
  expect(rowCount).toBe(0);
});

describe('in production', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ DATABASE_URL: database.url, NODE_ENV: 'production' });
  });
  afterAll(() => service.stop());

  const requests = () =>
    service.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ message }) => message === 'request');

  it('logs one line of JSON per request, without key, body or query', async () => {
    const key = await withClient(database.url, (client) => storeKey(client, null));
    await fetch(`${service.url}/api/o/none/u/?secret=query`, {
      method: 'POST',
      headers: { authorization: `Key ${key}`, 'content-type': 'application/json', 'x-request-id': 'find-me' },
      body: '{"email": "body-marker@example.com"}',
    });
    await until(10_000, () => requests().length > 0);
    expect(requests()).toEqual([
      expect.objectContaining({
        level: 'info',
        method: 'POST',
        path: '/api/o/none/u/',
        status: 404,
        requestId: 'find-me',
        ms: expect.any(Number),
      }),
    ]);
    for (const secret of [key, 'body-marker', 'secret=query']) expect(service.output).not.toContain(secret);
  });

  it('logs no e-mail address of a path', async () => {
    const before = requests().length;
    const paths = [
      '/api/o/acme/u/bob%40acme.test/inbox/',
      '/API/o/acme/U/bob@acme.test',
      '/nowhere/bob@acme.test/?to=x',
    ];
    for (const path of paths) await fetch(`${service.url}${path}`);
    await until(10_000, () => requests().length >= before + paths.length);
    const logged = requests().slice(before);
    expect(logged.map(({ path }) => path)).toEqual([
      '/api/o/acme/u/:username/inbox/',
      '/API/o/acme/U/:username',
      '/nowhere/:address/',
    ]);
    expect(service.output).not.toMatch(/bob(@|%40)/);
  });

  it('opens no debugger when it gets SIGUSR1', async () => {
    process.kill(service.pid, 'SIGUSR1');
    for (let n = 0; n < 20; n++) expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect(service.output).not.toContain('Debugger');
  });

  it('loses no line of a request, although it is told to stop the moment it has answered', async () => {
    const ping = () => fetch(`${service.url}/api/system/ping/`).then((answer) => answer.text());
    await Promise.all(Array.from({ length: 200 }, ping));
    expect(await service.stop()).toBe(0);
    expect(requests().filter(({ path }) => path === '/api/system/ping/')).toHaveLength(200);
  });
});

it('writes what it was about to say when it ends in the middle of a turn', async () => {
  const lines = pathToFileURL(join(root, 'dist', 'platform', 'config', 'log-lines.js')).href;
  const program = `import { writeLine } from '${lines}'; writeLine('one\\n'); writeLine('two\\n'); process.exit(0)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toBe('one\ntwo\n');
});

describe('a bad setting stops the start with one line', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, not "abc"'],
    [{ ROLE: 'boss' }, 'ROLE must be one of all, api, worker, not "boss"'],
    [
      { DATABASE_URL: 'mysql://u:hunter2@h/d' },
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
    ],
    [{ PUBLIC_URL: 'notify.example.com' }, 'PUBLIC_URL must be a URL that starts with http:// or https://'],
    [{ PUBLIC_URL: 'http://notify.example.com' }, 'PUBLIC_URL must start with https://'],
    [{ OIDC_FILE: 'oidc.yaml' }, 'PUBLIC_URL is required with OIDC_FILE'],
    [{ SYSTEM_MAIL_URL: 'smtp://a.test' }, 'Set SYSTEM_MAIL_URL and SYSTEM_MAIL_FROM together'],
    [{ OIDC_FILE: '/nowhere.yaml', PUBLIC_URL: 'https://a.test' }, 'OIDC_FILE: cannot read /nowhere.yaml: ENOENT'],
    [{ OIDC_FILE: '/dev/null', PUBLIC_URL: 'https://a.test' }, 'OIDC_FILE: must have the fields providers'],
    [{ PUBLIC_URL: 'https://notify.example.com/?a=1' }, 'PUBLIC_URL must end with its path'],
    [{ SECRET_KEY: 'c2hvcnQ=' }, 'SECRET_KEY must be 32 bytes in base64, not 5'],
    [
      { SECRET_KEY: '', NODE_ENV: 'production', DATABASE_URL: 'postgres://x/y' },
      'SECRET_KEY is required in production',
    ],
    [{ OUTBOUND_ALLOW: '10.0.0.0/8,nonsense' }, 'OUTBOUND_ALLOW must be a list of subnets'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of error, warn, info, debug, not "loud"'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be one of true, false, not "yes"'],
    [{ NODE_ENV: 'staging' }, 'NODE_ENV must be one of development, production, test, not "staging"'],
    [{ METRICS_PORT: 'on' }, 'METRICS_PORT must be a whole number from 0 to 65535, not "on"'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http:// or https://',
    ],
    [{ PROCESSES: '0' }, 'PROCESSES must be auto or a whole number from 1 to 64, not "0"'],
  ])('%j', async (env, sentence) => {
    const { code, stdout, stderr } = await cli(['start'], {
      DATA_DIR: folder.path,
      ...(env as Record<string, string>),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`carillon: ${sentence}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hunter2');
  });

  it.each(['', '0', '65', '1.5', 'many'])('start --processes "%s"', async (value) => {
    const { code, stdout, stderr } = await cli(['start', '--processes', value], { DATA_DIR: folder.path });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`carillon: --processes must be auto or a whole number from 1 to 64, not "${value}"\n`);
  });

  it('and so does a database that nobody serves', async () => {
    const { code, stderr } = await cli(['start'], { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/d' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^carillon: connect ECONNREFUSED 127.0.0.1:1\. Check DATABASE_URL: [^\n]+\n$/),
    ]);
  });
});
