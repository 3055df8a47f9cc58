#!/usr/bin/env node
// The `carillon` command. In a clone, it installs and builds first what is missing; the npm package contains the build.
import './require-node.mjs';
import { existsSync } from 'node:fs';

const has = (file) => existsSync(new URL(file, import.meta.url));

if (has('run.mjs')) {
  process.argv.splice(2, 0, 'carillon');
  await import('./run.mjs');
} else if (has('../dist/main.js')) {
  await import('../dist/main.js');
} else {
  console.error('carillon: this package was made without a build: run `npm pack --ignore-scripts=false` in the clone');
  process.exitCode = 1;
}
