import { Client } from '../client.mjs';
import { flood } from './flood.mjs';

const PER_SECOND = 6000;
const CONNECTIONS = 4000;

/** @type {import('../attacks.mjs').Attack} */
export const triggerFlood = {
  ...flood,
  name: 'trigger-flood',
  about: `${PER_SECOND} triggers a second over ${CONNECTIONS} connections, without a wait for answers, below the quota`,
  environment: () => ({ QUOTA_TRIGGERS_PER_SECOND: '1000000' }),
  run(target) {
    const client = new Client(target);
    let underWay = 0;
    return client.rate(PER_SECOND, async () => {
      if (underWay >= CONNECTIONS) return client.note('not sent');
      underWay++;
      await client.send(target.paths.told, {});
      underWay--;
    });
  },
};
