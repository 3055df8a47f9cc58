import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { remoteService, requireService } from '../../src/operate/cli/remote/options.js';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { Service } from '../support/app/service.js';
import { useAcme } from '../support/app/use.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

let home: TestFolder;
let env: Record<string, string>;
let file: string;
beforeEach(() => {
  home = createFolder();
  env = { HOME: home.path, XDG_CONFIG_HOME: '' };
  file = join(home.path, '.config', 'carillon', 'profiles.json');
});
afterEach(() => home.remove());

const add = (name: string, more: string[] = [], input = `${key}\n`) =>
  Service.try(['profile', 'add', name, '--url', app.url, ...more], env, input);

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await cli(args, env);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

describe('profile', () => {
  it('stores a key from a pipe in a file of this account only, and never prints it', async () => {
    const { code, stdout, stderr } = await add('work');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`stored ${app.url} and its key, which reaches acme, in ${file}\nIt is the current profile\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      current: 'work',
      profiles: { work: { url: app.url, key } },
    });
    for (const args of [['list'], ['list', '--json'], ['use', 'work', '--json'], ['remove', 'work', '--json']])
      expect(await run('profile', ...args)).not.toContain(key);
  });

  it('lists, switches and removes profiles', async () => {
    await add('one');
    const second = await add('two', ['--json']);
    expect(JSON.parse(second.stdout)).toEqual({ name: 'two', url: app.url, reach: 'acme', current: false, file });
    expect(await run('profile', 'use', 'two')).toBe(`two (${app.url}) is the current profile\n`);
    const listed = JSON.parse(await run('profile', 'list', '--json')) as object[];
    expect(listed).toEqual([
      { name: 'one', url: app.url, current: false },
      { name: 'two', url: app.url, current: true },
    ]);
    await run('profile', 'remove', 'two');
    expect(await run('profile', 'list')).toBe(`NAME  URL\none   ${app.url}\n`);
    const { code, stderr } = await cli(['profile', 'use', 'onw'], env);
    expect([code, stderr]).toEqual([1, 'carillon: there is no profile onw: did you mean one? Known: one\n']);
  });

  it('stores nothing if the service does not know the key, unless it is told not to ask', async () => {
    const { code, stderr } = await add('work', [], 'crl_wrong');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: .*key/)]);
    expect(existsSync(file)).toBe(false);
    expect((await add('work', ['--no-check'], 'crl_later')).code).toBe(0);
  });

  it.each([
    [['a/b'], 'the name of a profile has letters'],
    [['work'], 'no key was given'],
    [['work', '--url', 'ftp://x'], 'ftp://x is not the address of a service'],
    [['work', '--url', 'https://me:secret@x'], 'must not contain a user or a password'],
    [['work', '--key', 'a b'], 'the API key contains spaces'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await Service.try(['profile', 'add', '--url', app.url, ...args], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(stderr).not.toMatch(/secret@|a b/);
  });
});

describe('the service of a command', () => {
  const store = (profiles: object, mode = 0o600) => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, JSON.stringify(profiles));
    chmodSync(file, mode);
  };
  const one = { url: 'http://one', key: 'k1' };
  const two = { url: 'http://two', key: 'k2' };

  it('is the named one, then that of the environment, then the current profile', () => {
    store({ current: 'one', profiles: { one, two } });
    expect(remoteService({}, env)).toEqual(one);
    expect(remoteService({ profile: 'two' }, env)).toEqual(two);
    expect(remoteService({ profile: 'two', key: 'k3' }, env)).toEqual({ ...two, key: 'k3' });
    expect(remoteService({}, { ...env, CARILLON_PROFILE: 'two' })).toEqual(two);
    const named = { ...env, CARILLON_URL: 'http://a', CARILLON_KEY: 'k' };
    expect(remoteService({}, named)).toEqual({ url: 'http://a', key: 'k' });
    expect(remoteService({ profile: 'two' }, named)).toEqual(two);
    expect(remoteService({ url: 'http://b' }, named)).toEqual({ url: 'http://b', key: 'k' });
  });

  it('never gets the key of a profile with another address', () => {
    store({ current: 'one', profiles: { one } });
    expect(() => remoteService({ url: 'http://b' }, env)).toThrow('an API key is required');
    expect(() => remoteService({ url: 'http://b', profile: 'one' }, env)).toThrow('either --profile or --url');
  });

  it('is the database with --database, and with DATABASE_URL unless a service is named', () => {
    store({ current: 'one', profiles: { one } });
    const database = { ...env, DATABASE_URL: 'postgresql://x' };
    expect(remoteService({}, database)).toBeNull();
    expect(remoteService({ profile: 'one' }, database)).toEqual(one);
    expect(requireService({}, database)).toEqual(one);
    expect(remoteService({ database: true }, { ...env, CARILLON_URL: 'http://a' })).toBeNull();
    expect(() => remoteService({ database: true, url: 'http://a' }, env)).toThrow('either --database or --url');
  });

  it('is required by a command that works only over HTTP', () => {
    expect(remoteService({}, env)).toBeNull();
    expect(() => requireService({}, env)).toThrow('which service? Add --url');
  });

  it('is not taken from a file that others can read, or that is not JSON', () => {
    store({ current: 'one', profiles: { one } }, 0o640);
    expect(() => remoteService({}, env)).toThrow(
      `other accounts can read ${file}, and it holds API keys: run chmod 600 ${file}`,
    );
    chmodSync(file, 0o600);
    expect(remoteService({}, env)).toEqual(one);
    writeFileSync(file, '{');
    expect(() => remoteService({}, env)).toThrow(`${file} is not valid JSON`);
  });

  it('is in the file that XDG_CONFIG_HOME names', () => {
    store({ current: 'one', profiles: { one } });
    expect(remoteService({}, { HOME: '/nowhere', XDG_CONFIG_HOME: join(home.path, '.config') })).toEqual(one);
    expect(remoteService({}, { ...env, XDG_CONFIG_HOME: 'relative' })).toEqual(one);
  });
});

it('refuses the address of a service for a command that does not use one', async () => {
  const { code, stderr } = await cli(['--url', 'http://a', 'doctor'], env);
  expect([code, stderr]).toEqual([1, 'carillon: doctor does not take --url: it does not use the HTTP API\n']);
});
