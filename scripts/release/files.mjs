// The files of a release. Each function writes into the folder `out`.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../../dist/platform/database/migration/migration-file.js';
import { notesOf, packageFolders } from './check.mjs';

const run = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function npm(args, cwd) {
  const child = spawn('npm', args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`npm ${args[0]} failed in ${cwd}`))));
  });
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The service and the clients, as `npm install` takes them. At once: each builds in its own folder, for some ten seconds. */
export async function packPackages(home, out) {
  // The clients are built by `prepack`, which the configuration of npm may have switched off.
  const args = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', out];
  await Promise.all(packageFolders(home).map((folder) => npm(args, folder)));
}

/** The sources, which the image is built from: `docker build` reads the archive, with the Dockerfile in it. */
export function writeSources(home, out, version) {
  const file = join(out, `carillon-${version}-source.tar.gz`);
  run('git', ['archive', '--format=tar.gz', `--output=${file}`, 'HEAD'], home);
  copyFileSync(join(home, 'Dockerfile'), join(out, 'Dockerfile'));
}

/** The packages that a production installation of the service contains. */
export function writeParts(home, out) {
  writeFileSync(join(out, 'sbom.cdx.json'), run(process.execPath, [join('scripts', 'sbom.mjs')], home));
}

export function writeNotes(home, out, version) {
  const text = readFileSync(join(home, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(out, 'RELEASE-NOTES.md'), `# Carillon ${version}\n\n${notesOf(text, version)}\n`);
}

/** The next value of prisma/migrations/previous-release.json. */
export async function writePreviousRelease(home, out, version) {
  const commit = run('git', ['rev-parse', 'HEAD'], home).trim();
  const migrations = await readMigrations(join(home, 'prisma', 'migrations'));
  const checksums = Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]));
  writeFileSync(join(out, 'previous-release.json'), json({ version, commit, migrations: checksums }));
}

/** SHA-256 of all files, as `sha256sum -c` reads them. */
export function writeChecksums(out) {
  const lines = readdirSync(out)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}
