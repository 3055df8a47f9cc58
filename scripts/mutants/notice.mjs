// Finds out whether tests notice a mutant. Each mutant gets a copy of everything that is compiled, with one other file in it, and its tests run
// from there in a process that has loaded the libraries before (runner.mjs).
import { fork } from 'node:child_process';
import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compile, compiledOf, filesIn } from '../jest/compile.mjs';

/** A test that takes so long hangs: that counts as noticed. */
const DEADLINE_MS = 240_000;

const home = dirname(dirname(import.meta.dirname));

let copies = 0;

/** Without a mutant, nothing of the copy differs. */
async function copyCompiled(mutant) {
  const folder = `dist-mutant-${process.pid}-${++copies}`;
  const [from, to] = [join(home, 'dist-test'), join(home, folder)];
  for (const file of filesIn(from)) {
    const link = join(to, relative(from, file));
    mkdirSync(dirname(link), { recursive: true });
    linkSync(file, link);
  }
  if (mutant) {
    const source = join(home, mutant.file);
    const compiled = compiledOf(home, source, folder);
    rmSync(compiled); // a link: to write to it would change the original
    await compile(home, source, mutant.text, compiled);
  }
  return folder;
}

class Runner {
  #child;

  constructor(url) {
    this.env = { ...process.env, TEST_POSTGRES_URL: url, NODE_ENV: 'test' };
  }

  #start() {
    const options = { env: this.env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: ['--liftoff-only'] };
    return fork(join(import.meta.dirname, 'runner.mjs'), options);
  }

  /** Runs a compiled test file. Returns what failed first, or null. */
  run(file) {
    const child = (this.#child ??= this.#start());
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
      const end = (failure) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(failure);
      };
      child.once('message', ({ failure }) => end(failure));
      child.once('exit', (code) => {
        this.#child = undefined;
        end(code === null ? 'it hangs' : `it exits with ${code}`);
      });
      child.send(file);
    });
  }

  stop() {
    this.#child?.kill('SIGKILL');
  }
}

async function noticedBy(runner, tests, mutant) {
  const folder = await copyCompiled(mutant);
  try {
    for (const test of tests) {
      const failure = await runner.run(compiledOf(home, join(home, test), folder));
      if (failure !== null) return `${test}: ${failure}`;
    }
    return null;
  } finally {
    rmSync(join(home, folder), { recursive: true, force: true });
  }
}

/** Returns what noticed the mutant, or null. Without a mutant, the tests fail. */
export async function noticed(url, tests, mutant) {
  const runner = new Runner(url);
  try {
    return await noticedBy(runner, tests, mutant);
  } finally {
    runner.stop();
  }
}

/**
 * The same for some mutants, in one process. Afterwards the tests must pass there without a mutant: otherwise one of the mutants has left something
 * behind, and each gets a process of its own.
 */
export async function noticedOfEach(url, mutants) {
  const runner = new Runner(url);
  const found = [];
  try {
    for (const mutant of mutants) found.push(await noticedBy(runner, mutant.tests, mutant));
    if ((await noticedBy(runner, mutants.at(-1).tests)) === null) return found;
  } finally {
    runner.stop();
  }
  for (const [i, mutant] of mutants.entries()) found[i] = await noticed(url, mutant.tests, mutant);
  return found;
}
