import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ArgumentsHost, LoggerService } from '@nestjs/common';
import { clientLeft } from './problem.js';
import { ProblemFilter } from './problem.filter.js';

const logged: unknown[] = [];
const push = (entry: unknown) => void logged.push(entry);
beforeAll(() => Logger.overrideLogger({ log: push, warn: push, error: push } satisfies LoggerService));
afterAll(() => Logger.overrideLogger(true));
beforeEach(() => void (logged.length = 0));

let closed = 0;
const response = { headersSent: false, destroyed: true, destroy: () => closed++ };
const host = {
  switchToHttp: () => ({ getRequest: () => ({}), getResponse: () => response }),
} as unknown as ArgumentsHost;

it('logs no error about a client that left', () => {
  new ProblemFilter(() => null).catch(clientLeft(), host);
  expect([logged, closed]).toEqual([[], 1]);
});
