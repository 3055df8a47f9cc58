#!/usr/bin/env node
import { carillon } from './cli/carillon.js';

process.exitCode = await carillon(process.argv.slice(2));
