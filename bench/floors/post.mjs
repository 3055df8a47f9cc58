// A bare undici loop that posts the same body to the same sink, with `inFlight` requests in flight.
import { Agent, request } from 'undici';
import { now } from '../measure/clock.mjs';
import { answerParent } from '../world/parent.mjs';

const agent = new Agent();

async function run({ url, headers, body, messages, inFlight }) {
  const start = now();
  let sent = 0;
  const next = async () => {
    while (sent < messages) {
      const id = `floor.${++sent}`;
      const options = { method: 'POST', headers: { ...headers, 'webhook-id': id }, body, dispatcher: agent };
      const answer = await request(url, options);
      if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, next));
  return { ms: now() - start };
}

answerParent({ run });
