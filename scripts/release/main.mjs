// `npm run release [-- --out FOLDER] [--uncommitted]` makes the files of a release: docs/releasing.md. It changes nothing outside of the folder, and
// publishes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { problemsOf } from './check.mjs';
import { packPackages, writeChecksums, writeNotes, writeParts, writePreviousRelease, writeSources } from './files.mjs';

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: { out: { type: 'string' }, uncommitted: { type: 'boolean', default: false } },
});
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const out = resolve(values.out ?? join(home, 'dist-release', version));

function refuse(problems) {
  for (const problem of problems) console.error(`release: ${problem}`);
  if (problems.length > 0) process.exit(1);
}

function placeProblems() {
  if (existsSync(out) && readdirSync(out).length > 0) return [`${out} is not empty: remove it, or give another --out`];
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: home, encoding: 'utf8' });
  return changes && !values.uncommitted ? [`commit or remove these changes first:\n${changes.trimEnd()}`] : [];
}

refuse([...problemsOf(home), ...placeProblems()]);
mkdirSync(out, { recursive: true });
await packPackages(home, out);
writeSources(home, out, version);
writeParts(home, out);
writeNotes(home, out, version);
await writePreviousRelease(home, out, version);
writeChecksums(out);
console.log(`Carillon ${version} in ${out}:`);
for (const name of readdirSync(out).sort())
  console.log(`  ${name} (${Math.ceil(statSync(join(out, name)).size / 1024)} KB)`);
