// `npm run sbom [-- --omit optional]` prints the packages that a production installation contains, from the lock file, in the CycloneDX format.
// Plain Node: the image runs it without anything installed.
//
// `npm sbom --omit dev` also leaves out packages that something else needs: 11 of our own dependencies, such as express. So npm lists all
// packages, and those that the lock file marks as needed for development only are removed here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const omitsOptional = process.argv.includes('optional');

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const all = JSON.parse(
  execFileSync('npm', args, {
    cwd: home,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  }),
);
const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));

/** How npm refers to the packages of the lock file that are installed. A package may be there twice, once for development only. */
const installed = new Set(
  Object.entries(packages)
    .filter(([, { dev, optional, devOptional }]) => !dev && !(omitsOptional && (optional || devOptional)))
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
);

const components = all.components.filter((component) => installed.has(component['bom-ref']));
const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = all.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
const component = { ...all.metadata.component, name: 'carillon' }; // npm writes the name of the folder
console.log(JSON.stringify({ ...all, metadata: { ...all.metadata, component }, components, dependencies }, null, 2));
