import { expect, it } from '@jest/globals';
import { consoleBundle } from '../support/console-bundle.js';

interface Step {
  notification: string;
  after: string | null;
  channels: string[];
}
interface Later {
  laterMessages(simulation: { rules: object[]; time_line: Step[] }, name?: string): number;
}

const { laterMessages } = consoleBundle('pages/rule/simulate/later-messages.ts') as Later;

const step = (notification: string, after: string | null, ...channels: string[]): Step => ({
  ...{ notification, after, channels },
});
const rule = (notification: string, sends: Record<string, number>) => ({
  notification,
  channels: Object.entries(sends).map(([channel, send]) => ({ channel, send })),
});

const SIMULATION = {
  rules: [rule('Tell', { app: 5, mail: 3, sms: 1 }), rule('Other', { mail: 7 })],
  time_line: [
    step('Tell', null, 'app'),
    step('Tell', '10m', 'mail', 'sms'),
    step('Tell', '20m', 'mail', 'sms'),
    step('Other', null, 'mail'),
    step('Other', '1h', 'mail'),
  ],
};

it('counts the messages of later steps and of each repetition, and not those that are sent at once', () => {
  expect(laterMessages(SIMULATION)).toBe(15);
  expect(laterMessages(SIMULATION, 'Tell')).toBe(8);
});

it('counts nothing without steps, or over a channel that was deleted', () => {
  expect(laterMessages({ rules: [], time_line: [] })).toBe(0);
  expect(laterMessages({ ...SIMULATION, rules: [] })).toBe(0);
});
