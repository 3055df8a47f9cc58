import { addMembers } from '../world/crowd.mjs';
import { createKeys } from '../world/keys.mjs';

export const PEOPLE = 300;

/** The provider of the third sometimes does not answer or closes in the middle, that of the fourth sometimes asks to slow down. */
export const STEADY = ['t1', 't2'];
export const RUDE = 't3';
export const STRICT = 't4';
const SLUGS = [...STEADY, RUDE, STRICT];

/** Longer than a provider takes on a busy machine, unless it misbehaves. */
const TIMEOUT_SECONDS = 10;

const LISTS = `
  select o.id organization, o.slug, l.id list from organizations o join distribution_lists l on l.organization_id = o.id
  order by o.slug`;

/**
 * Creates four organizations. In each, the event `told` tells 300 users, and `picky` too, over a channel that refuses each message once.
 * @param {import('../world.mjs').World} world
 * @param {import('../world/database.mjs').Database} database
 */
export async function createCrowds(world, database, sinkUrl) {
  const organizations = SLUGS.map((slug) => organization(slug, sinkUrl));
  await world.carillon(database, ['apply', '-'], JSON.stringify({ organizations }));
  const lists = await database.query(LISTS);
  for (const { organization: organizationId, list: listId, slug } of lists)
    await addMembers(database, { organizationId, listId, slug, people: PEOPLE });
  const keys = await createKeys(
    database,
    lists.map(({ organization: id }) => id),
  );
  return lists.map(({ slug }, index) => ({ slug, headers: keys[index] }));
}

function organization(slug, sinkUrl) {
  const names = ['told', 'picky'];
  const channels = names.map((name) => ({
    slug: name,
    name,
    type: 'webhook',
    config: { url: `${sinkUrl}/${slug}/${name}`, timeout_seconds: TIMEOUT_SECONDS },
  }));
  const events = names.map((name) => ({
    slug: name,
    name,
    notifications: [
      {
        name,
        distribution_list: 'All',
        templates: [{ channel: name, text: 'Order {{ order }} paid', per: 'person' }],
      },
    ],
  }));
  const applications = [{ slug: 'a', name: 'A', events }];
  const projects = [{ slug: 'p', name: 'P', distribution_lists: [{ name: 'All' }], applications }];
  return { slug, name: slug, channels, projects };
}
