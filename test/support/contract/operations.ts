import { PERMISSIONS } from '../../../src/auth/permission.js';
import type { Permission } from '../../../src/auth/permission.js';
import type { TestApp } from '../app/app.js';
import { operations } from './contract.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Operation {
  method: Method;
  path: string;
  /** A body that is accepted, for operations that take one. A text is NDJSON. */
  body?: object | string;
}

/** One of the 20 operations of the specification. Update user counts twice, as PUT and as PATCH. */
export interface SpecifiedOperation extends Operation {
  number: number;
  permission: Permission;
}

/** Where a body is sent: the slug of a channel and the name of a list that exist there. */
export interface Place {
  channel: string;
  list: string;
  /** The e-mail of one; left out: Ann of Acme. */
  user?: string;
}

const named = () => ({ slug: 'new', name: 'New' });
const renamed = () => ({ name: 'New' });
const channel = () => ({ slug: 'new', name: 'New', type: 'log' });

/** A body for each operation that takes one; test/shape/operations.spec.ts compares the list with openapi.yaml. */
export const BODIES: Record<string, (place: Place) => object | string> = {
  'POST /api/o/': named,
  'PATCH /api/o/{org}/': renamed,
  'PATCH /api/o/{org}/settings/': () => ({ time_zone: 'Europe/Rome' }),
  'PUT /api/o/{org}/configuration/': () => ({ channels: [{ ...channel(), slug: 'configured' }] }),
  'POST /api/o/{org}/configuration/plan/': () => ({ channels: [channel()] }),
  'PATCH /api/o/{org}/quotas/': () => ({ stored_mb: 1000 }),
  'POST /api/o/{org}/k/': () => ({ name: 'ci', permissions: ['system:ping'] }),
  'PUT /api/o/{org}/members/{memberEmail}/': () => ({ name: 'Bob Ray', role: 'editor' }),
  'POST /api/session/link/': () => ({ email: 'bob@acme.test' }),
  'POST /api/session/': () => ({ key: 'crl_no' }),
  'POST /api/o/{org}/c/': channel,
  'PATCH /api/o/{org}/c/{channel}/': renamed,
  'POST /api/o/{org}/c/{channel}/test/': () => ({}),
  'PUT /api/o/{org}/layouts/{layout}/': () => ({ text: '{{ content }}' }),
  'PUT /api/o/{org}/p/{prj}/layouts/{layout}/': () => ({ text: '{{ content }}' }),
  'PUT /api/o/{org}/partials/{partial}/': () => ({ text: '{{ content }}' }),
  'PUT /api/o/{org}/p/{prj}/partials/{partial}/': () => ({ text: '{{ content }}' }),
  'POST /api/o/{org}/occurrences/{occurrence}/acknowledge/': ({ user = 'ann@acme.test' }) => ({ user }),
  'POST /api/o/{org}/occurrences/{occurrence}/retry/': () => ({}),
  'POST /api/o/{org}/occurrences/{occurrence}/replay/': () => ({}),
  'POST /api/o/{org}/u/': () => ({ email: 'new@acme.test' }),
  'PUT /api/o/{org}/u/{username}/': () => ({ first_name: 'Ann' }),
  'PATCH /api/o/{org}/u/{username}/': () => ({ custom_fields: { team: 'dev' }, _mode: 'MERGE' }),
  'PATCH /api/o/{org}/u/{username}/settings/': () => ({ time_zone: 'Europe/Rome' }),
  'POST /api/o/{org}/audience/preview/': () => ({ audience: { field: 'email', ends_with: '@acme.test' } }),
  'POST /api/o/{org}/users/': () => '{"email":"uploaded@acme.test"}\n',
  'PUT /api/o/{org}/users/{email}/': () => ({ first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops' } }),
  'POST /api/o/{org}/u/{username}/address/': () => ({ name: 'phone', value: '+15550000000' }),
  'PATCH /api/o/{org}/u/{username}/address/{name}/{value}/': () => ({ value: 'other@acme.test' }),
  'PUT /api/o/{org}/u/{username}/devices/{bundle}/{device}/': () => ({ platform: 'android', fcm: { token: 'new' } }),
  'PATCH /api/o/{org}/u/{username}/preferences/': () => ({ channels: { email: 'off' } }),
  'POST /api/o/{org}/u/{username}/inbox/{message}/acknowledge/': () => ({ note: 'I am on it.' }),
  'POST /api/o/{org}/u/{username}/inbox/mark/': () => ({ as: 'seen', messages: [1] }),
  'POST /api/o/{org}/u/{username}/token/': () => ({}),
  'POST /api/o/{org}/signing-secrets/': renamed,
  'POST /api/o/{org}/suppressions/': () => ({ name: 'email', value: 'gone@acme.test' }),
  'POST /api/o/{org}/uploads/': () => 'Hello',
  'POST /api/o/{org}/p/': named,
  'PATCH /api/o/{org}/p/{prj}/': renamed,
  'POST /api/o/{org}/p/{prj}/c/': channel,
  'PATCH /api/o/{org}/p/{prj}/c/{channel}/': renamed,
  'POST /api/o/{org}/p/{prj}/c/{channel}/test/': () => ({}),
  'POST /api/o/{org}/p/{prj}/categories/': named,
  'PATCH /api/o/{org}/p/{prj}/categories/{category}/': renamed,
  'POST /api/o/{org}/p/{prj}/d/': renamed,
  'PATCH /api/o/{org}/p/{prj}/d/{pk}/': ({ list }) => ({ name: list.toUpperCase() }),
  'POST /api/o/{org}/p/{prj}/d/{pk}/add/': () => ['a@acme.test', 'b@acme.test'],
  'PATCH /api/o/{org}/p/{prj}/d/{pk}/m/{member}/': () => ({ active: false }),
  'POST /api/o/{org}/p/{prj}/a/': named,
  'PATCH /api/o/{org}/p/{prj}/a/{app}/': renamed,
  'PUT /api/o/{org}/p/{prj}/messages/': () => ({ messages: { de: { paid: 'Bezahlt' } } }),
  'PUT /api/o/{org}/p/{prj}/a/{app}/status-webhook/': () => ({
    url: 'https://status.test/in',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/': named,
  'PATCH /api/o/{org}/p/{prj}/a/{app}/e/{evt}/': () => ({ max_recipients: 1_000 }),
  'PUT /api/o/{org}/p/{prj}/a/{app}/e/{evt}/schedule/': () => ({ cron: '0 9 * * mon', time_zone: 'Europe/Rome' }),
  'PATCH /api/o/{org}/p/{prj}/a/{app}/e/{evt}/schedule/': () => ({ enabled: false }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/drafts/': () => ({ draft: 'new-2', notification: { name: 'Begun' } }),
  'PUT /api/o/{org}/p/{prj}/a/{app}/e/{evt}/drafts/{draft}/': () => ({ notification: { name: 'Begun' } }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/': ({ channel, list }) => ({
    ...{ name: 'New', distribution_lists: [list] },
    templates: [{ channel, text: 'Hi' }],
  }),
  'PATCH /api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/': () => ({ when: 'total' }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/': ({ channel }) => ({ text: 'Hi', channel }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/preview/test/': () => ({
    text: 'Hi',
    channel: 'mail',
    user: 'ann@acme.test',
  }),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/': () => ({}),
  'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/': ({ channel }) => ({
    context: { order: 'A-17', total: 120 },
    options: { channels: [channel] },
  }),
};

const ACME: Place = { channel: 'mail', list: 'Staff' };

/** The operations of the specification by number, each with the permission that it names. */
const SPECIFIED: [number, string, Permission][] = [
  [1, 'GET /api/system/ping/', 'system:ping'],
  [2, 'GET /api/o/{org}/', 'organization:read'],
  [3, 'GET /api/o/{org}/u/', 'user:read'],
  [4, 'POST /api/o/{org}/u/', 'user:write'],
  [5, 'GET /api/o/{org}/u/{username}/', 'user:read'],
  [6, 'PUT /api/o/{org}/u/{username}/', 'user:write'],
  [6, 'PATCH /api/o/{org}/u/{username}/', 'user:write'],
  [7, 'GET /api/o/{org}/u/{username}/address/', 'user:read'],
  [8, 'POST /api/o/{org}/u/{username}/address/', 'user:write'],
  [9, 'GET /api/o/{org}/p/', 'organization:read'],
  [10, 'GET /api/o/{org}/p/{prj}/', 'organization:read'],
  [11, 'GET /api/o/{org}/c/', 'organization:read'],
  [12, 'GET /api/o/{org}/p/{prj}/c/', 'organization:read'],
  [13, 'GET /api/o/{org}/p/{prj}/a/', 'organization:read'],
  [14, 'GET /api/o/{org}/p/{prj}/a/{app}/e/', 'event:list'],
  [15, 'POST /api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/', 'event:trigger'],
  [16, 'GET /api/o/{org}/p/{prj}/d/', 'distributionlist:read'],
  [17, 'POST /api/o/{org}/p/{prj}/d/', 'distributionlist:write'],
  [18, 'GET /api/o/{org}/p/{prj}/d/{pk}/', 'distributionlist:read'],
  [19, 'POST /api/o/{org}/p/{prj}/d/{pk}/add/', 'distributionlist:write'],
  [20, 'GET /api/o/{org}/p/{prj}/d/{pk}/m/', 'distributionlist:read'],
];

function operationOf(name: string): Operation {
  const [method, path] = name.split(' ') as [string, string];
  return { method: method.toLowerCase() as Method, path, body: BODIES[name]?.(ACME) };
}

/** Every operation of the contract. */
export const EVERY_OPERATION: readonly Operation[] = operations.map(({ method, path }) =>
  operationOf(`${method} ${path}`),
);

/** The operations of the specification, and the one permission that each needs. */
export const OPERATIONS: readonly SpecifiedOperation[] = SPECIFIED.map(([number, name, permission]) => ({
  ...operationOf(name),
  number,
  permission,
}));

export const WRITES = OPERATIONS.filter(({ method }) => method !== 'get');
export const LISTS = OPERATIONS.filter(({ number }) => [3, 7, 9, 11, 12, 13, 14, 16, 20].includes(number));
export const numbered = (...numbers: number[]) => OPERATIONS.filter(({ number }) => numbers.includes(number));

const NOUNS = {
  org: 'organization',
  prj: 'project',
  app: 'application',
  evt: 'event',
  username: 'user',
  pk: 'distribution list',
};

export type PathName = keyof typeof NOUNS;
export type Names = Partial<Record<PathName, string>>;

/** What the names in a path are at Acme (support/acme.ts); the first list of all is Acme's. */
export const ACME_NAMES = {
  ...{ org: 'acme', prj: 'shop', app: 'web', evt: 'order-paid', username: 'ann@acme.test', pk: '1' },
  ...{
    email: 'ann@acme.test',
    memberEmail: 'bob@acme.test',
    channel: 'mail',
    category: 'news',
    layout: 'main',
    partial: 'end',
    name: 'phone',
    value: '+15551234567',
    bundle: 'com.acme.shop',
    device: 'phone-1',
    draft: 'new',
  },
};

/** The path with these names in it. */
export function fillPath(path: string, names: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!));
}

/** The path with these names in it; those left out name things of Acme. */
export function pathOf({ path }: Pick<Operation, 'path'>, names: Names = {}): string {
  return fillPath(path, { ...ACME_NAMES, ...names });
}

/** Each operation with each name in its path, and what a 404 calls the thing. */
export function pathNames<T extends Operation>(operations: readonly T[]) {
  return operations.flatMap((operation) =>
    (Object.keys(NOUNS) as PathName[])
      .filter((name) => operation.path.includes(`{${name}}`))
      .map((name) => ({ ...operation, name, noun: NOUNS[name] })),
  );
}

export const allBut = (permission: Permission) => PERMISSIONS.filter((other) => other !== permission);

export function call(app: TestApp, key: string | undefined, { method, body }: Operation, path: string) {
  const request = app
    .as(key)
    [method](path)
    .type(typeof body === 'string' ? 'application/x-ndjson' : 'json');
  return body ? request.send(body) : request;
}
