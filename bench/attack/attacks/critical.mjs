import { Client } from '../client.mjs';
import { hangs } from './never-answers.mjs';

const TRIGGERS = 260;
const EVERY_SECONDS = 2;
const BODY = { options: { priority: 'critical', limit_to: ['user1@attacker.test'] } };

/** @type {import('../attacks.mjs').Attack} */
export const critical = {
  ...hangs,
  name: 'critical',
  about: `${TRIGGERS} critical triggers at once, every ${EVERY_SECONDS} seconds, for a webhook that never answers`,
  people: 1,
  run(target) {
    const client = new Client(target);
    const trigger = () => client.send(target.paths.told, BODY);
    return client.rate(1 / EVERY_SECONDS, () => Promise.all(Array.from({ length: TRIGGERS }, trigger)));
  },
};
