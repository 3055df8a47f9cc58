import { expect, it } from '@jest/globals';
import { pauseMs } from './progress-poll.js';

it('pauses at least half a second, and ten times as long as looking took', () => {
  expect([0, 3, 50, 51, 400].map(pauseMs)).toEqual([500, 500, 500, 510, 4000]);
});
