import type { ClientBase } from 'pg';
import { isStream, operations } from '../support/contract/contract.js';
import { BODIES, fillPath } from '../support/contract/operations.js';
import { addSigningSecret } from '../support/world/token-secret.js';
import { addDevice } from '../support/world/device.js';
import { addDraft } from '../support/world/draft.js';
import { suppress } from '../support/world/suppression.js';
import { addMember } from '../support/world/organization-member.js';
import { addUpload } from '../support/world/upload.js';

export interface Call {
  /** As in the contract, with what is asked beside the path. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | string;
  isStream: boolean;
}

const PLACE = { channel: 'out', list: 'All' };

/** Other ways to ask for the same. */
const QUERIES: Record<string, string[]> = {
  'GET /api/o/{org}/u/': [
    ...['?limit=5&after=5', '?search={username}', '?search=user%201', '?search=ser'],
    ...['?order=email&limit=5', '?order=desc&locale=de', '?audience={"field":"custom_fields.team","is":"ops"}'],
  ],
  'GET /api/o/{org}/users/': [
    ...['?limit=5&after=5', '?search=user%201', '?search=ser', '?order=email&limit=5'],
    '?audience={"field":"custom_fields.team","is":"ops"}',
  ],
  'GET /api/o/{org}/u/{username}/deliveries/': ['?limit=5&after=99999999', '?status=dead'],
  'GET /api/o/{org}/occurrences/': [
    '?limit=5',
    '?event=p/a/told',
    '?status=canceled&since=2020-01-01T00:00:00Z&until=2030-01-01T00:00:00Z',
    '?status=held',
    '?context=a&limit=5',
    '?counts=1&limit=5',
    '?steps=1&limit=5',
    '?open=1&limit=5',
    '?outcome=failed&reason=rejected&channel=p/hook',
    '?domain=acme.test',
  ],
  'GET /api/o/{org}/figures/': [
    '?by=event&project=p&channel=out',
    '?by=domain&application=p/a',
    '?by=hour&event=p/a/told&outcome=sent',
    '?by=reason',
  ],
  'GET /api/o/{org}/audit/': [
    '?order=desc&limit=5',
    '?order=desc&noun=user',
    '?actor=ci',
    '?name=p/',
    '?since=2020-01-01T00:00:00Z&until=2030-01-01T00:00:00Z',
  ],
  'GET /api/o/{org}/p/{prj}/d/{pk}/m/': ['?limit=5&after=5'],
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/': ['?strict=1'],
  'GET /api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/': ['?limit=5', '?status=canceled&since=2020-01-01T00:00:00Z'],
  'GET /api/o/{org}/occurrences/{occurrence}/deliveries/': [
    '?limit=5&after=1.1.1',
    '?status=dead',
    '?user={username}',
    '?channel=out',
  ],
  'GET /api/o/{org}/suppressions/': ['?limit=5&after=5', '?address={username}', '?cause=complaint'],
  'GET /api/o/{org}/uploads/': ['?limit=5&after=00000000-0000-4000-8000-000000000000'],
  'GET /api/o/{org}/u/{username}/inbox/': [
    '?limit=5',
    '?state=unread',
    '?state=unseen',
    '?state=archived',
    '?state=snoozed',
    '?category=news',
    '?category=news&state=archived',
  ],
  'GET /api/o/{org}/occurrences/{occurrence}/explain/': ['?user={username}'],
};

// Generated organizations, each with an occurrence that has a delivery that is dead, one that waits and one that was sent.
const PLACES = `
  select distinct on (g.id) g.slug org, 'p' prj, 'a' app, 'told' evt, u.email username, u.email email, l.id pk, d.occurrence_id occurrence,
         d.id delivery, i.id message, (select min(k.id) from api_keys k where k.organization_id = g.id) key,
         'out' channel, 'news' category, 'main' layout, 'end' partial, n.id notification, m.id member, 'email' "name", u.email "value",
         'com.acme.shop' bundle, 'phone-1' device, 'bob@acme.test' "memberEmail",
         (select x.email from users x where x.organization_id = g.id and x.id <> u.id limit 1) other
  from deliveries d
  join deliveries dead using (occurrence_id)
  join inbox_messages i on i.organization_id = d.organization_id
  join users u on u.id = i.user_id
  join organizations g on g.id = d.organization_id
  join distribution_lists l on l.organization_id = g.id and l.name = 'All'
  join members m on m.list_id = l.id and m.user_id = u.id
  join notifications n on n.organization_id = g.id
  where d.status = 'pending' and dead.status = 'dead'
  order by g.id limit 3`;

/** An occurrence of a place that has come to its end, as if it had been held. */
const HOLD = `
  update occurrences set status = 'held' where id = (
    select o.id from occurrences o join organizations g on g.id = o.organization_id
    where g.slug = $1 and o.status = 'expanded'
      and not exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending') limit 1)
  returning id`;

const ELSEWHERE = [
  'POST /api/session/link/', // needs a mail server: test/api/session-link.spec.ts
  'POST /api/session/', // needs the text of a key, and signing out a cookie: test/api/session.spec.ts
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/test/', // needs a mail server: test/explain/preview-mail.spec.ts
  'POST /api/o/{org}/c/{channel}/check/', // needs a provider: test/api/channel-check.spec.ts
  'POST /api/o/{org}/p/{prj}/c/{channel}/check/', // the same
];

/** Somebody signs in to a place. */
const SIGN_IN = `
  insert into api_keys (organization_id, name, permissions, hash, via, expires_at, last_used_at)
  select id, 'console', '{}', sha256(random()::text::bytea), 'link', now() + interval '1 day', now() from organizations where slug = $1
  returning id`;

/** What waits there is done, so that its event can be deleted. */
const FINISH = `
  update deliveries set status = 'dead', next_attempt_at = null
  where organization_id = (select id from organizations where slug = $1) and status = 'pending'`;

/** Every operation of the contract, asked in one place of a grown database; what is canceled, approved or deleted is another. */
export async function callsIn(client: ClientBase): Promise<Call[]> {
  const { rows } = await client.query<Record<string, string>>(PLACES);
  const [usual, canceled, deleted] = rows as [Record<string, string>, object, Record<string, string>];
  await client.query(FINISH, [deleted.org]);
  usual.secret = String(await addSigningSecret(client, usual.org!));
  for (const place of [usual, deleted]) {
    await addDevice(client, place);
    await addMember(client, place.org!, place.memberEmail!);
    Object.assign(place, {
      suppression: String(await suppress(client, place.org!, 'lost@acme.test')),
      upload: await addUpload(client, place.org!),
      draft: await addDraft(client, place.org!),
      session: String((await client.query<{ id: number }>(SIGN_IN, [place.org])).rows[0]!.id),
    });
  }
  const held = await client.query<{ id: string }>(HOLD, [usual.org]);
  const placeOf = (path: string) => {
    if (path.endsWith('/approve/')) return { ...usual, occurrence: held.rows[0]!.id };
    return path.endsWith('/cancel/') ? canceled : usual;
  };
  const leaf = operations.find(({ method, path }) => method === 'DELETE' && path.endsWith('/e/{evt}/'))!;
  const deletions = operations
    .filter(({ method, path }) => method === 'DELETE' && path !== '/api/session/')
    .sort((a, b) => depthOf(b) - depthOf(a));
  const others = operations.filter(
    ({ method, path }) => method !== 'DELETE' && !ELSEWHERE.includes(`${method} ${path}`),
  );
  // The application has two events.
  return [
    ...others.flatMap((operation) => callsOf(operation, placeOf(operation.path))),
    ...callsOf(leaf, { ...deleted, evt: 'untold' }),
    ...deletions.flatMap((operation) => callsOf(operation, deleted)),
  ];
}

const depthOf = ({ path }: { path: string }) => path.split('/').length;

function callsOf({ method, path, ...operation }: (typeof operations)[number], names: object): Call[] {
  const isOfProject = path.includes('/p/{prj}/c/');
  const place = { ...names, ...(isOfProject && { channel: 'hook' }) } as Record<string, string>;
  const name = `${method} ${path}`;
  // An operator's list of organizations is all of them.
  const queries = name === 'GET /api/o/' ? ['?limit=5'] : ['', ...(QUERIES[name] ?? [])];
  return queries.map((query) => ({
    name: name + query,
    method: method as Call['method'],
    path: fillPath(path + query, place),
    body: BODIES[name]?.({ ...PLACE, user: place.other }),
    isStream: isStream({ method, path, ...operation }),
  }));
}

/**
 * The lists of the one tenant that has very many of everything, whole; but of members a page: of a list that holds a quarter of
 * all users it is cheaper to read them all.
 */
export async function loudLists(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ list: number; occurrence: string }>(
    `select min(l.id) list, (select occurrence_id from deliveries d where d.organization_id = o.id limit 1) occurrence
     from organizations o join distribution_lists l on l.organization_id = o.id where o.slug = 'loud' group by o.id`,
  );
  const { list, occurrence } = rows[0]!;
  const own = ['u/', 'u/user1@loud.test/inbox/', 'p/p/d/', `p/p/d/${list}/m/?limit=1000`, 'p/p/a/a/e/told/o/'];
  // Not the deliveries of a user: their index has no order, and a search looks through a limited number of ids.
  return [...own, 'occurrences/', `occurrences/${occurrence}/deliveries/`].map((path) => `/api/o/loud/${path}`);
}
