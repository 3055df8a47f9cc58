import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CarillonLogger } from './log.js';

let printed = '';
const { write } = process.stderr;
beforeEach(() => {
  printed = '';
  process.stderr.write = (chunk: string | Uint8Array) => ((printed += String(chunk)), true);
});
afterEach(() => void (process.stderr.write = write));

const logger = new CarillonLogger({ logLevel: 'info', logFormat: 'pretty' }, 'stderr');

it('prints no control character of a value, so that it cannot steer the terminal', () => {
  logger.warn({ message: 'sent \u001b[2J', name: 'a\u009b31m\rb\u202e' }, 'Log');
  expect(printed).toMatch(/sent \\x1b\[2J name=a\\x9b31m\\x0db\\u202e\n$/);
});

it('indents the further lines of a value, so that it cannot look like a line of its own', () => {
  logger.warn({ message: 'failed', error: 'Error: x\n00:00:00 info  Http GET / 200' }, 'Log');
  expect(printed.split('\n').slice(1)).toEqual(['    00:00:00 info  Http GET / 200', '']);
});
