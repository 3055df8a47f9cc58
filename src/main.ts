#!/usr/bin/env node
import './platform/config/no-debugger.js';
import { setFlagsFromString } from 'node:v8';
import { carillon } from './operate/cli/carillon.js';
import { endProcess } from './operate/cli/print/end-process.js';

// V8 compiles WebAssembly a second time, for speed, once it has run for a while. Prisma's start alone would count as such a while, and
// this would be a third of the CPU time of a short command.
setFlagsFromString('--wasm-tiering-budget=100000000');

await endProcess(await carillon(process.argv.slice(2)));
