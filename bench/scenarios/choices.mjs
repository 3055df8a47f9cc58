import { alternate } from '../measure/alternate.mjs';
import { fanOut } from '../measure/fan-out.mjs';
import { rowWithCpu } from '../measure/row.mjs';
import { CONNECTIONS, triggerEach } from '../measure/trigger-each.mjs';
import { BODY, createCrowd, webhook } from '../world/crowd.mjs';

/** Everything that recipients and their organization can set, so that nothing is kept back. */
const SETTINGS = {
  organization: {
    time_zone: 'Europe/Rome',
    quiet_hours: [{ from: clock(10), to: clock(12) }],
    limit: { count: 1000, per: 'minute' },
  },
  project: { categories: [{ slug: 'news', name: 'News' }] },
  event: { category: 'news' },
  notification: {
    window: { from: clock(-6), to: clock(6) },
    limit: { count: 1000, per: 'minute', then: 'drop' },
  },
};

/** So many hours from now, by the clock of UTC, which is not far from that of Rome. */
function clock(hours) {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
}

export const choices = {
  name: 'choices',
  about:
    'An organization that uses everything that recipients can choose (a category with a choice of each user, quiet hours, a send window, two limits), against one that uses nothing.',
  async run(world) {
    const { triggers, together } = world.size.choices;
    const database = await world.database();
    const sink = await world.sink('http');
    const channel = webhook(sink.facts.url);
    const crowds = {};
    for (const [slug, people] of Object.entries({ one: triggers, together })) {
      world.progress.step(`creating ${people} users, twice`);
      crowds[`plain-${slug}`] = await createCrowd(world, database, { slug: `plain-${slug}`, people, channel });
      crowds[`all-${slug}`] = await createCrowd(world, database, {
        slug: `all-${slug}`,
        people,
        channel,
        settings: SETTINGS,
      });
    }
    await chooseForAll(database);
    const parts = { database, sink, api: await world.api(database), worker: await world.worker(database) };
    const each = (slug) => () => triggerEach(world, parts, crowds[slug], triggers, (n) => bodyFor(slug, n % triggers));
    const sides = {
      'plain-one': each('plain-one'),
      'all-one': each('all-one'),
      'plain-together': () => fanOut(world, parts, crowds['plain-together']),
      'all-together': () => fanOut(world, parts, crowds['all-together']),
    };
    for (const [name, run] of Object.entries(sides)) {
      world.progress.step(`warm-up, ${name}`);
      await run();
    }
    const what = `${triggers.toLocaleString('en')} triggers`;
    const results = await alternate(world, what, sides);
    const row = (slug, title) =>
      rowWithCpu(
        title,
        '/s',
        'rate',
        { service: results[`all-${slug}`], floor: results[`plain-${slug}`] },
        'without any of it',
      );
    return {
      rows: [
        row('one', `${what} with limit_to, each to another person`),
        row('together', `one trigger of ${together.toLocaleString('en')} messages`),
      ],
      notes: [
        `${CONNECTIONS} connections. From the first trigger to the last arrival. CPU is the sum of api and worker.`,
      ],
    };
  },
};

const { context } = JSON.parse(BODY);

const bodyFor = (slug, number) =>
  JSON.stringify({ context, options: { limit_to: [`user${number + 1}@${slug}.test`] } });

async function chooseForAll(database) {
  await database.query(`
    insert into preferences (organization_id, user_id, category_id, is_on, chosen_by)
    select u.organization_id, u.id, c.id, true, 'person' from users u join categories c on c.organization_id = u.organization_id`);
  await database.query('vacuum analyze preferences');
}
