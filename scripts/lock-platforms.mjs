// Completes package-lock.json with the optional packages of other platforms.
//
// A partial registry mirror may not carry, say, the darwin build of a compiler. npm then writes a lock file without it,
// and `npm ci` refuses that lock file everywhere. Run this script after `npm install` behind such a mirror. Elsewhere it
// changes nothing.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));

const systems = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony', 'sunos', 'aix', 'netbsd', 'openbsd'];
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el'];

/** The fields that npm would have recorded, derived from a name such as `core-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

let added = 0;
for (const [path, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const hoisted = `node_modules/${name}`;
    if (lock.packages[hoisted] || lock.packages[`${path}/${hoisted}`] || !/^\d/.test(range)) continue;
    lock.packages[hoisted] = { version: range, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    added++;
  }
}
const packages = Object.keys(lock.packages).sort((a, b) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(packages.map((path) => [path, lock.packages[path]]));
writeFileSync(file, JSON.stringify(lock, null, 2) + '\n');
console.log(`${added} packages of other platforms added`);
