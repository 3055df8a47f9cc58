import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FailureLog } from './failure-log.js';

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines.length = 0;
  jest.useFakeTimers();
  const keep = (line: Record<string, unknown>) => lines.push(line);
  Logger.overrideLogger({ log: keep, warn: keep, error: keep });
});
afterEach(() => {
  jest.useRealTimers();
  Logger.overrideLogger(false);
});

const place = (organization: string) => ({ organization, channel: 'hook', occurrence: 'o1' });

it('writes a line for each dead delivery, and for each channel that fails or recovers', () => {
  const log = new FailureLog();
  log.dead(place('acme'), '7', '410 gone');
  log.failing(place('acme'), 'ECONNREFUSED');
  log.recovered(place('acme'));
  expect(lines).toEqual([
    { message: 'delivery is dead', ...place('acme'), delivery: '7', reason: '410 gone' },
    { message: 'channel keeps failing, so its messages wait', ...place('acme'), reason: 'ECONNREFUSED' },
    { message: 'channel works again', organization: 'acme', channel: 'hook' },
  ]);
});

it('leaves the addresses out that a provider names in its answer', () => {
  new FailureLog().dead(place('acme'), '7', '550 <bob@acme.test> unknown');
  expect(lines).toMatchObject([{ reason: '550 <[address]> unknown' }]);
});

it('writes at most 20 lines a minute for one organization, and how many it left out', () => {
  const log = new FailureLog();
  for (let n = 0; n < 30; n++) log.dead(place('acme'), String(n), null);
  log.dead(place('globex'), '99', null);
  expect(lines.filter(({ organization }) => organization === 'acme')).toHaveLength(20);
  expect(lines.at(-1)).toMatchObject({ organization: 'globex', delivery: '99' });
  jest.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toEqual({
    message: 'more lines about failures were left out',
    organization: 'acme',
    lines: 10,
  });
  log.dead(place('acme'), '31', null);
  expect(lines.at(-1)).toMatchObject({ delivery: '31' });
});
