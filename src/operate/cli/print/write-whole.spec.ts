import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { writeWhole } from './write-whole.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('replaces a file, keeps its permissions, and follows a link to it', async () => {
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  writeFileSync(file, 'before');
  chmodSync(file, 0o600);
  symlinkSync(file, link);
  await writeWhole(link, ['af', 'ter']);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o600]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

it('leaves the file as it was when the text ends early', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'before');
  const broken = function* () {
    yield 'half';
    throw new Error('lost');
  };
  await expect(writeWhole(file, broken())).rejects.toThrow('lost');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['before', ['file']]);
});

it('writes to a pipe and does not replace it', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [text] = await Promise.all([readFile(pipe, 'utf8'), writeWhole(pipe, ['through'])]);
  expect([text, lstatSync(pipe).isFIFO()]).toEqual(['through', true]);
});
