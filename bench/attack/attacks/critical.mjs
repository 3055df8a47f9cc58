import { Client } from '../client.mjs';
import { hangs } from './never-answers.mjs';

const TRIGGERS = 260;
const BODY = { options: { priority: 'critical', limit_to: ['user1@attacker.test'] } };

/** @type {import('../attacks.mjs').Attack} */
export const critical = {
  ...hangs,
  name: 'critical',
  about: `${TRIGGERS} critical triggers at once, again and again, for a webhook that never answers`,
  people: 1,
  async run(target) {
    const client = new Client(target);
    return client.together(TRIGGERS, () => client.send(target.paths.told, BODY));
  },
};
