import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../scripts/release/check.mjs';
import { root } from '../../src/platform/config/root.js';
import { version } from '../../src/platform/config/version.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';

let folder: TestFolder;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

const main = join(root, 'scripts', 'release', 'main.mjs');
const textOf = (name: string) => readFileSync(join(folder.path, name), 'utf8');
const jsonOf = (name: string) => JSON.parse(textOf(name)) as unknown;

it('a release has packages, sources, an image build file, a parts list, notes and checksums of all of them', () => {
  execFileSync(process.execPath, [main, '--out', folder.path, '--uncommitted'], { cwd: root, stdio: 'pipe' });
  const names = readdirSync(folder.path).sort();
  expect(names).toEqual([
    'Dockerfile',
    'RELEASE-NOTES.md',
    'SHA256SUMS',
    `carillon-${version}-source.tar.gz`,
    `carillon-${version}.tgz`,
    `carillon-client-${version}.tgz`,
    `carillon-inbox-${version}.tgz`,
    'previous-release.json',
    'sbom.cdx.json',
  ]);
  const sums = names
    .filter((name) => name !== 'SHA256SUMS')
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder.path, name)))
          .digest('hex')}  ${name}\n`,
    );
  expect(textOf('SHA256SUMS')).toBe(sums.join(''));

  const filesIn = (archive: string) =>
    execFileSync('tar', ['-tzf', join(folder.path, archive)], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  expect(filesIn(`carillon-${version}.tgz`)).toContain('package/dist/main.js');
  expect(filesIn(`carillon-client-${version}.tgz`)).toContain('package/dist/client.js');
  expect(filesIn(`carillon-inbox-${version}.tgz`)).toContain('package/dist/carillon-inbox.min.js');
  // docker build reads the Dockerfile at the top of the archive.
  expect(filesIn(`carillon-${version}-source.tar.gz`)).toEqual(
    expect.arrayContaining(['Dockerfile', 'package-lock.json']),
  );

  const parts = jsonOf('sbom.cdx.json') as { metadata: { component: object }; components: { name: string }[] };
  expect(parts.metadata.component).toMatchObject({ name: 'carillon', version });
  const dependencies = Object.keys(
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }).dependencies,
  );
  const listed = parts.components.map(({ name }) => name);
  expect(dependencies.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed).not.toContain('jest');

  expect(textOf('RELEASE-NOTES.md')).toMatch(new RegExp(`^# Carillon ${version}\n[^]*\n### Added\n`));
  const previous = jsonOf('previous-release.json') as {
    version: string;
    commit: string;
    migrations: Record<string, string>;
  };
  expect([previous.version, previous.commit]).toEqual([version, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  const migrations = readdirSync(join(root, 'prisma', 'migrations')).filter((name) => /^\d/.test(name));
  expect(Object.keys(previous.migrations)).toEqual(migrations.sort());
});

it('a release never overwrites the files of another one', () => {
  writeFileSync(join(folder.path, 'SHA256SUMS'), 'of before');
  const run = () =>
    execFileSync(process.execPath, [main, '--out', folder.path, '--uncommitted'], { cwd: root, stdio: 'pipe' });
  expect(run).toThrow(/is not empty: remove it, or give another --out/);
  expect([readdirSync(folder.path), textOf('SHA256SUMS')]).toEqual([['SHA256SUMS'], 'of before']);
});

describe('the check before a release', () => {
  const FILES = [
    'package.json',
    'package-lock.json',
    'openapi.yaml',
    'CHANGELOG.md',
    'ops/helm/carillon/Chart.yaml',
    'clients/typescript/package.json',
    'clients/inbox/package.json',
  ];
  beforeEach(() => {
    for (const file of FILES) {
      mkdirSync(dirname(join(folder.path, file)), { recursive: true });
      cpSync(join(root, file), join(folder.path, file));
    }
  });

  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder.path, file), change(textOf(file)));

  it('finds nothing wrong with this version', () => {
    expect(problemsOf(folder.path)).toEqual([]);
  });

  it('names every file that has another version', () => {
    edit('package.json', (text) => text.replace(`"version": "${version}"`, '"version": "9.8.7"'));
    expect(problemsOf(folder.path)).toEqual([
      `version in package-lock.json is ${version}, but package.json has 9.8.7`,
      `info.version in openapi.yaml is ${version}, but package.json has 9.8.7`,
      `version in ops/helm/carillon/Chart.yaml is ${version}, but package.json has 9.8.7`,
      `appVersion in ops/helm/carillon/Chart.yaml is ${version}, but package.json has 9.8.7`,
      `version of @carillon/inbox is ${version}, but package.json has 9.8.7`,
      `version of @carillon/client is ${version}, but package.json has 9.8.7`,
      `CHANGELOG.md begins with the section ${version}, not with 9.8.7`,
    ]);
  });

  it('refuses a version that is not one', () => {
    for (const file of FILES) edit(file, (text) => text.replaceAll(version, 'soon'));
    expect(problemsOf(folder.path)).toEqual(['package.json: soon is not a version such as 1.2.3 or 1.2.3-rc.1']);
  });

  it.each([
    [
      'another section before that of the version',
      '# Changelog\n\n## Unreleased\n\n## 1.0.0\n',
      /begins with the section Unreleased/,
    ],
    [
      'no part in the section of the version',
      `# Changelog\n\n## ${version}\n\n- Something\n`,
      /has no part Added, Changed, Fixed/,
    ],
    [
      'a part with another name',
      `# Changelog\n\n## ${version}\n\n### Refactored\n\n- Code\n`,
      /Refactored in .* is not one of/,
    ],
  ])('refuses a changelog with %s', (_, text, problem) => {
    writeFileSync(join(folder.path, 'CHANGELOG.md'), text);
    expect(problemsOf(folder.path)).toEqual([expect.stringMatching(problem)]);
  });
});
