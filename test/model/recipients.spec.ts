import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { isLong, sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { webhook } from '../support/world/tenant.js';

const RUNS = Number(process.env.MODEL_RUNS ?? sized(12, 150));
const SEED = process.env.MODEL_SEED === undefined ? (isLong ? undefined : 1) : Number(process.env.MODEL_SEED);
const TIMEOUT_MS = 3_600_000;
const PATIENCE_MS = 30_000;

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

interface World {
  /** The first `users` users exist. More than a hundred recipients are expanded alone. */
  users: number;
  /** The members of the list, by number. */
  members: number[];
  /** Users with the custom field that the audience asks for. */
  team: number[];
  optedOut: number[];
  notifications: Notification[];
  triggers: Trigger[];
}

interface Notification {
  to: 'recipients' | 'context' | 'list' | 'audience';
  isDigest: boolean;
}

interface Trigger {
  recipients: number[];
  context: number[];
  limitTo: number[] | null;
}

const email = (user: number) => `user-${user}@acme.test`;
const nameOf = (index: number) => `notification-${index}`;

/** Who must get what, each once, as `notification user trigger`. Written from the documentation alone. */
function expectedMessages({ users, members, team, optedOut, notifications, triggers }: World): string[] {
  const all = Array.from({ length: users }, (_, user) => user);
  return notifications
    .flatMap(({ to }, index) =>
      triggers.flatMap(({ recipients, context, limitTo }, n) => {
        const meant = { recipients, context, list: members, audience: team }[to];
        return all
          .filter((user) => meant.includes(user) && !optedOut.includes(user) && (limitTo?.includes(user) ?? true))
          .map((user) => `${nameOf(index)} ${email(user)} ${n}`);
      }),
    )
    .sort();
}

const TO: Record<Notification['to'], Partial<NotificationEntry>> = {
  recipients: { to: 'recipients' },
  context: { to: { context: 'who' } },
  list: { distribution_list: 'Staff' },
  audience: { audience: { field: 'custom_fields.team', is: 'ops' } },
};

const ITEMS = '{% if digest %}{% for item in digest.items %}{{ item.n }} {% endfor %}{% else %}{{ n }}{% endif %}';

const entryOf = ({ to, isDigest }: Notification, index: number): NotificationEntry => ({
  name: nameOf(index),
  ...TO[to],
  ...(isDigest ? { digest: { window: '1h' } } : {}),
  templates: [{ channel: 'hook', per: 'person', text: `${nameOf(index)} ${ITEMS}` }],
});

let count = 0;

/** The same world in the service. Returns its organization. */
async function create({ users, members, team, optedOut, notifications }: World): Promise<string> {
  const org = `acme-${++count}`;
  const existing = (numbers: number[]) => numbers.filter((user) => user < users);
  const project = {
    slug: 'shop',
    name: 'Shop',
    categories: [{ slug: 'news', name: 'News' }],
    distribution_lists: [{ name: 'Staff', members: existing(members).map(email) }],
    applications: [
      {
        slug: 'web',
        name: 'Web',
        events: [{ slug: 'paid', name: 'Paid', category: 'news', notifications: notifications.map(entryOf) }],
      },
    ],
  };
  const organization = {
    slug: org,
    name: org,
    channels: [webhook('hook', sink.url())],
    users: Array.from({ length: users }, (_, user) => ({
      email: email(user),
      custom_fields: team.includes(user) ? { team: 'ops' } : {},
    })),
    projects: [project],
  };
  await app.apply(JSON.stringify({ organizations: [organization] }));
  await app.pool.query(
    `insert into preferences (organization_id, user_id, category_id, is_on, chosen_by)
     select u.organization_id, u.id, c.id, false, 'key' from users u join organizations o on o.id = u.organization_id
     join categories c on c.organization_id = o.id where o.slug = $1 and u.email = any($2)`,
    [org, optedOut.map(email)],
  );
  return org;
}

/** What the provider got, in the same form. */
function messages(): string[] {
  return sink.requests
    .flatMap(({ body }) => {
      const { user, text } = (JSON.parse(body) as { data: { user: string; text: string } }).data;
      const [notification, ...items] = text.trim().split(' ');
      return items.map((n) => `${notification} ${user} ${n}`);
    })
    .sort();
}

async function play(world: World): Promise<void> {
  const org = await create(world);
  const path = `/api/o/${org}/p/shop/a/web/e/paid/`;
  const client = app.as(await app.key({ org }));
  const takesRecipients = world.notifications.some(({ to }) => to === 'recipients'); // otherwise a trigger must not have them
  for (const [n, { recipients, context, limitTo }] of world.triggers.entries()) {
    const options = {
      recipients: takesRecipients ? recipients.map(email) : undefined,
      limit_to: limitTo?.map(email),
    };
    const { status, body } = await client
      .post(`${path}trigger/`)
      .send({ context: { n, who: context.map(email) }, options });
    expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
  }
  const idle = `select from jobs j join organizations o on o.id = j.organization_id
    where o.slug = $1 and (j.state <> 'scheduled' or j.run_at < now() + interval '1 minute')`;
  const done = () => until(PATIENCE_MS, async () => (await app.pool.query(idle, [org])).rowCount === 0);
  await done();
  await app.pool.query(
    `update digests set due_at = now() where organization_id = (select id from organizations where slug = $1)`,
    [org],
  );
  const open = `select from digests d join organizations o on o.id = d.organization_id where o.slug = $1`;
  await until(PATIENCE_MS, async () => (await app.pool.query(open, [org])).rowCount === 0);
  await done();
}

const user = fc.nat({ max: 7 });
const some = fc.uniqueArray(user, { maxLength: 5 });
const world: fc.Arbitrary<World> = fc.record({
  users: fc.constant(6),
  members: some,
  team: some,
  optedOut: fc.uniqueArray(user, { maxLength: 2 }),
  notifications: fc.array(
    fc.record({
      to: fc.constantFrom<Notification['to']>('recipients', 'recipients', 'context', 'list', 'audience'),
      isDigest: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  triggers: fc.array(
    fc.record({
      recipients: fc.uniqueArray(user, { minLength: 1, maxLength: 5 }),
      context: some,
      limitTo: fc.option(fc.uniqueArray(user, { minLength: 1, maxLength: 4 })),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

const MANY = Array.from({ length: 130 }, (_, each) => each);

/** Tried first: occurrences that are expanded alone, to all users, with and without a limit. */
const LARGE: World = {
  users: 130,
  members: MANY,
  team: [],
  optedOut: [3],
  notifications: [
    { to: 'recipients', isDigest: false },
    { to: 'list', isDigest: false },
  ],
  triggers: [
    { recipients: MANY.slice(10), context: [], limitTo: null },
    { recipients: [1, 2], context: [], limitTo: MANY.slice(1) },
  ],
};

it(
  'sends a notification to the users that are meant, and never to anyone outside recipients or limit_to',
  async () => {
    const property = fc.asyncProperty(world, async (given) => {
      sink.requests.length = 0;
      await play(given);
      expect(messages()).toEqual(expectedMessages(given));
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS, examples: [[LARGE]], unbiased: true });
  },
  TIMEOUT_MS,
);
