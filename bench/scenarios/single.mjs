import { alternate } from '../measure/alternate.mjs';
import { fanOut } from '../measure/fan-out.mjs';
import { rowWithCpu } from '../measure/row.mjs';
import { CONNECTIONS, triggerEach } from '../measure/trigger-each.mjs';
import { BODY, createCrowd, webhook } from '../world/crowd.mjs';

/** Of triggers that change users. Each holds a connection to the database, and an organization that holds too many gets a 503. */
const CHANGING_CONNECTIONS = 8;

/** A prime number, so that the triggers reach users from all parts of the list, each user once. */
const STEP = 7919;

export const single = {
  name: 'single',
  about:
    'Each trigger reaches one user over one webhook. Each connection sends its next trigger after the answer to the last one.',
  async run(world) {
    const { triggers, together, members, named } = world.size.single;
    const database = await world.database();
    const sink = await world.sink('http');
    const channel = webhook(sink.facts.url);
    const crowds = {};
    const toRecipients = { notification: { distribution_list: undefined, to: 'recipients' } };
    for (const [slug, people] of Object.entries({ one: 1, together, limited: members, named })) {
      world.progress.step(`creating ${people} people`);
      const settings = slug === 'named' ? toRecipients : undefined;
      crowds[slug] = await createCrowd(world, database, { slug, people, channel, settings });
    }
    const parts = { database, sink, api: await world.api(database), worker: await world.worker(database) };
    const sides = {
      one: () => triggerEach(world, parts, crowds.one, triggers, () => BODY),
      together: () => fanOut(world, parts, crowds.together),
      limited: () => triggerEach(world, parts, crowds.limited, triggers, (number) => limitedBody(number, members)),
      named: () => triggerEach(world, parts, crowds.named, triggers, (number) => namedBody(emailOf(number, named))),
      upserted: () =>
        triggerEach(
          world,
          parts,
          crowds.named,
          triggers,
          (number) => namedBody({ email: emailOf(number, named), custom_fields: { order: number } }),
          CHANGING_CONNECTIONS,
        ),
    };
    for (const [name, run] of Object.entries(sides)) {
      world.progress.step(`warm-up, ${name}`);
      await run();
    }
    const what = `${triggers.toLocaleString('en')} triggers`;
    const { one, together: floor, limited, named: toNamed, upserted } = await alternate(world, what, sides);
    const ofMany = `one trigger of ${together.toLocaleString('en')} messages`;
    const limitedTo = `${what}, each with limit_to one of ${members.toLocaleString('en')} members`;
    return {
      rows: [
        rowWithCpu(`${what}, a list of one member`, '/s', 'rate', { service: one, floor }, ofMany),
        rowWithCpu(limitedTo, '/s', 'rate', { service: limited, floor: one }, 'a list of one member'),
        rowWithCpu(
          `${what}, each to one recipient`,
          '/s',
          'rate',
          { service: toNamed, floor: one },
          'a list of one member',
        ),
        rowWithCpu(
          `${what}, each changes its recipient`,
          '/s',
          'rate',
          { service: upserted, floor: toNamed },
          'a username',
        ),
      ],
      notes: [
        `${CONNECTIONS} connections, ${CHANGING_CONNECTIONS} of triggers that change their recipient. From the first trigger to the last arrival. CPU is the sum of api and worker.`,
      ],
    };
  },
};

const { context } = JSON.parse(BODY);

const emailOf = (number, people) => `user${1 + ((number * STEP) % people)}@named.test`;

const namedBody = (recipient) => JSON.stringify({ context, options: { recipients: [recipient] } });

function limitedBody(number, members) {
  const person = 1 + ((number * STEP) % members);
  return JSON.stringify({ context, options: { limit_to: [`user${person}@limited.test`] } });
}
