// `npm run test:mutants`: changes the code, one small change at a time, and runs the tests that should notice. Prints the changes that no
// test noticed, and exits with 1 if there is one. The sources themselves stay as they are.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { withPostgres } from '../test-postgres.mjs';
import { BREAKS } from './breaks.mjs';
import { compiler } from './compiles.mjs';
import { EQUIVALENT } from './equivalent.mjs';
import { mutantsOf } from './mutate.mjs';
import { noticed, noticedOfEach } from './notice.mjs';

const home = dirname(dirname(import.meta.dirname));
const { values: options, positionals: places } = parseArgs({
  options: { jobs: { type: 'string', default: '2' } },
  allowPositionals: true,
});

/** They only make names and random texts: a wrong name is an error wherever it is used. */
const NAMES = ['src/auth/permission.ts', 'src/auth/recipient/signing-secret.ts'];
const GUARDS = [
  ...readdirSync(join(home, 'src/auth'), { recursive: true })
    .map((name) => `src/auth/${name.split(sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !NAMES.includes(file))
    .sort(),
  'src/api/api-key/api-key.service.ts',
  'src/api/api-key/api-key.sql.ts',
  'src/api/session/session.service.ts',
  'src/api/session/session.sql.ts',
];

/** The tests that should notice a mutant of a file, cheapest first; before them, the spec next to the file. */
const [AUTHENTICATION, LIMITS] = ['test/http/auth.spec.ts', 'test/http/rate-limit.spec.ts'];
const [KEYS, ISOLATION] = ['test/api/api-key.spec.ts', 'test/shape/isolation.spec.ts'];
const [SESSIONS, PEOPLE] = ['test/api/session.spec.ts', 'test/api/oidc.spec.ts'];
const [RECIPIENTS, CELLS] = ['test/http/recipient.spec.ts', 'test/cell/cells.spec.ts'];
const [TOKENS, STREAMS] = ['test/http/recipient-scopes.spec.ts', 'test/http/stream-keys.spec.ts'];
const [DOOR, OTHER_CELL] = ['test/cell/door.spec.ts', 'test/cell/other-cell.spec.ts'];
const MODEL = 'test/model/life.spec.ts';
const TESTS = {
  'src/auth/api-key-rows.ts': [KEYS, AUTHENTICATION, LIMITS],
  'src/auth/api-key-store.ts': [KEYS, AUTHENTICATION],
  'src/auth/api-key.guard.ts': ['test/http/api-key-guard.spec.ts', AUTHENTICATION, LIMITS, SESSIONS, RECIPIENTS],
  'src/auth/auth.module.ts': [AUTHENTICATION, CELLS],
  'src/auth/declared-routes.ts': [AUTHENTICATION],
  'src/cell/forwarding/cell-client.ts': ['test/cell/ask.spec.ts'],
  'src/cell/forwarding/destination.ts': [DOOR, CELLS],
  'src/cell/forwarding/cell-router.ts': [DOOR, OTHER_CELL, CELLS],
  'src/cell/forwarding/key-copy.sql.ts': [OTHER_CELL, CELLS],
  'src/cell/forwarding/remote-keys.ts': [OTHER_CELL, CELLS],
  'src/cell/forwarding/write.interceptor.ts': [DOOR, CELLS],
  'src/auth/quota/rate-limit.ts': ['test/http/api-key-guard.spec.ts', LIMITS],
  'src/auth/recipient/origins.ts': [TOKENS, RECIPIENTS],
  'src/auth/recipient/recipient-scopes.ts': [TOKENS, RECIPIENTS],
  'src/auth/recipient/recipient.sql.ts': [TOKENS, STREAMS, RECIPIENTS],
  'src/auth/recipient/token.ts': [RECIPIENTS],
  'src/auth/require-permission.decorator.ts': [AUTHENTICATION],
  'src/auth/scope.service.ts': [
    'test/http/scope-service.spec.ts',
    AUTHENTICATION,
    KEYS,
    SESSIONS,
    OTHER_CELL,
    ISOLATION,
  ],
  'src/auth/scope.sql.ts': ['test/http/scope.spec.ts', SESSIONS],
  'src/auth/scope.ts': [AUTHENTICATION, SESSIONS],
  'src/auth/session/cookie.ts': [SESSIONS, PEOPLE],
  'src/auth/session/same-origin.ts': [SESSIONS],
  'src/auth/stream-keys.ts': [STREAMS],
  'src/api/api-key/api-key.service.ts': [KEYS, LIMITS],
  'src/api/api-key/api-key.sql.ts': [KEYS, ISOLATION],
  'src/api/session/session.service.ts': [SESSIONS, PEOPLE],
  'src/api/session/session.sql.ts': ['test/http/session-sql.spec.ts', SESSIONS, PEOPLE],
};

/** What a process has loaded for a mutant stays in its memory. */
const MUTANTS_PER_PROCESS = 20;

function testsOf(file) {
  const own = file.replace(/\.ts$/, '.spec.ts');
  return [...(existsSync(join(home, own)) ? [own] : []), ...(TESTS[file] ?? [])];
}

const isChosen = (place) => places.length === 0 || places.some((part) => place.includes(part));

function findMutants() {
  const read = (file) => readFileSync(join(home, file), 'utf8');
  const guards = GUARDS.flatMap((file) => mutantsOf(file, read(file)));
  const breaks = BREAKS.map(({ file, name, from, to }) => {
    const [before, after, ...more] = read(file).split(from);
    if (after === undefined || more.length > 0) throw new Error(`${file} must contain this once: ${from}`);
    return { file, line: before.split('\n').length, name, text: before + to + after };
  });
  return [
    ...breaks.map((mutant) => ({ ...mutant, isBreak: true, tests: [MODEL] })),
    ...guards.map((mutant) => ({ ...mutant, tests: testsOf(mutant.file) })),
  ].filter(({ file, line }) => isChosen(`${file}:${line}`));
}

const keyOf = ({ file, name }) => `${file}: ${name}`;

/** Runs the tests of each mutant that compiles; the others reach nobody. */
async function judge(url, mutants) {
  const compiles = compiler(home);
  const queue = [...mutants];
  process.on('SIGINT', () => {
    queue.splice(0);
    process.exitCode = 1;
  });
  const [tried, survived] = [[], []];
  const isTried = (mutant) => {
    if (compiles(mutant.file, mutant.text)) return true;
    if (mutant.isBreak) throw new Error(`breaks.mjs: "${mutant.name}" does not compile`);
    return false;
  };
  const work = async () => {
    while (queue.length > 0) {
      const some = queue.splice(0, MUTANTS_PER_PROCESS).filter(isTried);
      if (some.length === 0) continue;
      const found = await noticedOfEach(url, some);
      for (const [i, mutant] of some.entries()) {
        tried.push(mutant);
        if (found[i] === null) survived.push(mutant);
        const place = `${mutant.file}:${mutant.line}  ${mutant.name}`;
        console.log(found[i] === null ? `SURVIVED  ${place}` : `caught    ${place}  by ${found[i]}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, work));
  return [tried, survived];
}

function report(mutants, survived) {
  console.log(`\n${'file'.padEnd(45)} mutants  caught  survived`);
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const [all, lost] = [mutants, survived].map((list) => list.filter((mutant) => mutant.file === file).length);
    const figures = [all, all - lost, lost].map((figure) => String(figure).padStart(8));
    console.log(file.padEnd(45) + figures.join(''));
  }
  console.log(`${mutants.length} mutants, ${survived.length} survived`);
  for (const mutant of survived) console.log(`survived, line ${mutant.line}: ${keyOf(mutant)}`);
}

const found = findMutants();
const known = EQUIVALENT.map(([key]) => key);
const unclear = known.filter((key) => found.filter((mutant) => keyOf(mutant) === key).length !== 1);
if (unclear.length > 0 && places.length === 0)
  throw new Error(`equivalent.mjs must name one mutant each:\n${unclear.join('\n')}`);
const mutants = found.filter((mutant) => !known.includes(keyOf(mutant)));
const [tried, survived] = await withPostgres(async (url) => {
  for (const test of new Set(mutants.flatMap(({ tests }) => tests))) {
    const failure = await noticed(url, [test]);
    if (failure !== null) throw new Error(`without a mutant, ${failure}`);
  }
  return judge(url, mutants);
});
report(tried, survived);
if (survived.length > 0) process.exitCode = 1;
