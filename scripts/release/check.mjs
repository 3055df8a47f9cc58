// The version stands in several files, and the changelog has a section for it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const SECTIONS = ['Added', 'Changed', 'Fixed'];
const VERSION = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/;

/** The folders of the packages that are released: the service, then the clients. */
export function packageFolders(home) {
  const clients = readdirSync(join(home, 'clients')).map((name) => join(home, 'clients', name));
  return [home, ...clients.filter((folder) => existsSync(join(folder, 'package.json')))];
}

/** Returns what keeps the version from being released, one sentence each. */
export function problemsOf(home) {
  const { version } = read(home, 'package.json');
  const problems = VERSION.test(version)
    ? []
    : [`package.json: ${version} is not a version such as 1.2.3 or 1.2.3-rc.1`];
  for (const [place, found] of Object.entries(versions(home)))
    if (found !== version) problems.push(`${place} is ${found}, but package.json has ${version}`);
  return [...problems, ...changelogProblems(readFileSync(join(home, 'CHANGELOG.md'), 'utf8'), version)];
}

const read = (...parts) => JSON.parse(readFileSync(join(...parts), 'utf8'));
const readYaml = (...parts) => parse(readFileSync(join(...parts), 'utf8'));

function versions(home) {
  const chart = readYaml(home, 'ops', 'helm', 'carillon', 'Chart.yaml');
  const lock = read(home, 'package-lock.json');
  return {
    'version in package-lock.json': lock.version,
    'info.version in openapi.yaml': readYaml(home, 'openapi.yaml').info.version,
    'version in ops/helm/carillon/Chart.yaml': chart.version,
    'appVersion in ops/helm/carillon/Chart.yaml': chart.appVersion,
    ...Object.fromEntries(
      packageFolders(home)
        .slice(1)
        .map((folder) => [`version of ${read(folder, 'package.json').name}`, read(folder, 'package.json').version]),
    ),
  };
}

function changelogProblems(text, version) {
  const first = /^## (.*)$/m.exec(text)?.[1];
  if (first !== version) return [`CHANGELOG.md begins with the section ${first}, not with ${version}`];
  const headings = [...notesOf(text, version).matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  const wrong = headings.filter((heading) => !SECTIONS.includes(heading));
  if (wrong.length > 0) return [`CHANGELOG.md: ${wrong.join(', ')} in ${version} is not one of ${SECTIONS.join(', ')}`];
  return headings.length > 0 ? [] : [`CHANGELOG.md: ${version} has no part ${SECTIONS.join(', ')}`];
}

/** The section of a version in the changelog. */
export function notesOf(text, version) {
  const [, ...sections] = text.split(/^## /m);
  return (
    sections
      .find((section) => section.startsWith(`${version}\n`))
      ?.slice(version.length)
      .trim() ?? ''
  );
}
