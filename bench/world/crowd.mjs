import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { now } from '../measure/clock.mjs';
import { waitAfter } from '../measure/refusal.mjs';
import { createKeys } from './keys.mjs';

/** A small context, as an application would send it. */
export const BODY = JSON.stringify({ context: { order: 'A-17', total: 120 } });

const TEMPLATE = {
  subject: 'Order {{ order }} paid',
  text: 'Hi {{ user.first_name }}, {{ total }} EUR.',
  // A webhook would otherwise get one message for all of them.
  per: 'person',
};

export const webhook = (url) => ({ slug: 'out', name: 'Out', type: 'webhook', config: { url } });

export const mail = (port) => ({
  slug: 'out',
  name: 'Out',
  type: 'email',
  config: { host: '127.0.0.1', port, security: 'none', from: 'Bench <no-reply@bench.test>' },
});

export const applePush = ({ privateKey }) => ({
  slug: 'out',
  name: 'Out',
  type: 'apns_here',
  config: {
    team_id: 'DEF123GHIJ',
    key_id: 'ABC123DEFG',
    private_key: privateKey,
    bundle_id: 'test.bench',
    environment: 'production',
  },
});

/**
 * Creates an organization with one list of `people` members. Its event `told` notifies all of them over the channel, or over each of
 * several; `untold` notifies nobody. `settings`: more fields of the organization, its project, its event and its notification. `address`: of another
 * kind that each member has, with its value in SQL.
 * @param {import('../world.mjs').World} world
 * @param {import('./database.mjs').Database} database
 */
export async function createCrowd(world, database, { slug, people, channel, settings, address }) {
  const file = { organizations: [organization(slug, channel, settings)] };
  await world.carillon(database, ['apply', '-'], JSON.stringify(file));
  const ids = await fill(database, slug, people);
  if (address) await addAddresses(database, ids.organizationId, address);
  const [headers] = await createKeys(database, [ids.organizationId]);
  return {
    ...ids,
    people,
    headers,
    paths: {
      told: `/api/o/${slug}/p/p/a/a/e/told/trigger/`,
      untold: `/api/o/${slug}/p/p/a/a/e/untold/trigger/`,
      user: `/api/o/${slug}/u/user1@${slug}.test/`,
      users: `/api/o/${slug}/u/`,
      members: `/api/o/${slug}/p/p/d/${ids.listId}/m/`,
    },
  };
}

function organization(slug, channel = [], settings = {}) {
  const channels = [channel].flat();
  const templates = channels.map((each) => ({ ...TEMPLATE, channel: each.slug }));
  const notifications =
    channels.length > 0 ? [{ name: 'Tell all', distribution_list: 'All', templates, ...settings.notification }] : [];
  const events = [
    { slug: 'told', name: 'Told', notifications, ...settings.event },
    { slug: 'untold', name: 'Untold' },
  ];
  const applications = [{ slug: 'a', name: 'A', events }];
  const projects = [{ slug: 'p', name: 'P', distribution_lists: [{ name: 'All' }], applications, ...settings.project }];
  return { slug, name: slug, channels, projects, ...settings.organization };
}

async function fill(database, slug, people) {
  const [ids] = await database.query(
    `select o.id "organizationId", l.id "listId", e.id "eventId", n.id "notificationId", c.id "channelId"
     from organizations o
     join distribution_lists l on l.organization_id = o.id
     join events e on e.organization_id = o.id and e.slug = 'untold'
     left join notifications n on n.organization_id = o.id
     left join channels c on c.organization_id = o.id
     where o.slug = $1`,
    [slug],
  );
  const { organizationId, listId } = ids;
  await addMembers(database, { organizationId, listId, slug, people });
  const [first] = await database.query('select min(id) "userId" from users where organization_id = $1', [
    organizationId,
  ]);
  return { ...ids, ...first };
}

/** Gives each user of an organization one more address. `value`: SQL, of the number `n` of the user. */
async function addAddresses(database, organizationId, { name, value }) {
  await database.query(`
    insert into addresses (organization_id, user_id, name, value)
    select ${organizationId}, id, '${name}', ${value}
    from (select id, row_number() over (order by id) n from users where organization_id = ${organizationId}) users`);
  await database.query('vacuum analyze addresses');
}

/** Creates users in an organization, as members of a list. */
export async function addMembers(database, { organizationId, listId, slug, people }) {
  await database.query(`
    set session_replication_role = replica; -- generated rows are consistent, so foreign keys need no checks
    insert into users (organization_id, email, email_key, first_name, last_name)
      select ${organizationId}, email, email, 'User', n::text
      from generate_series(1, ${people}) n, lateral (select concat('user', n, '@${slug}.test') email) e;
    insert into addresses (organization_id, user_id, name, value)
      select organization_id, id, 'email', email from users where organization_id = ${organizationId} order by id;
    insert into members (organization_id, list_id, user_id, address_id)
      select organization_id, ${listId}, user_id, id from addresses where organization_id = ${organizationId} order by id;
    set session_replication_role = origin`);
  await database.query('vacuum analyze users, addresses, members');
}

/**
 * Triggers `told`. Returns the times of request and answer on the shared clock, and the time of the answer on the wall clock.
 *
 * A busy service may refuse it: then it is sent again when the answer says so, and the time that this takes counts. A refused trigger was not
 * stored. If one was, the counts of the scenario do not add up.
 */
export async function trigger(api, crowd, dispatcher) {
  const sentAt = now();
  const options = { method: 'POST', headers: crowd.headers, body: BODY, dispatcher };
  for (let tries = 1; ; tries++) {
    const { statusCode, headers, body } = await request(api.url + crowd.paths.told, options);
    const answer = await body.json();
    if (statusCode === 201) return { occurrence: answer.occurrence, sentAt, answeredAt: now(), wallAt: Date.now() };
    const wait = waitAfter(statusCode, headers['retry-after'], tries);
    if (wait === null) throw new Error(`a trigger was answered ${statusCode}: ${JSON.stringify(answer)}`);
    await sleep(wait);
  }
}
