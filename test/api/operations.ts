import { PERMISSIONS } from '../../src/auth/permission.js';
import type { Permission } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app.js';

export interface Operation {
  /** Its number in the specification. */
  number: number;
  method: 'get' | 'post' | 'put' | 'patch';
  path: string;
  permission: Permission;
  /** A body that is good, for those that take one. */
  body?: object;
}

const ORG = '/api/o/{org}/';
const USER = `${ORG}u/{username}/`;
const PROJECT = `${ORG}p/{prj}/`;
const EVENTS = `${PROJECT}a/{app}/e/`;
const LIST = `${PROJECT}d/{pk}/`;

/** The contract: every operation, and the one permission it needs. Update user counts twice, as PUT and as PATCH. */
export const OPERATIONS: readonly Operation[] = [
  { number: 1, method: 'get', path: '/api/system/ping/', permission: 'system:ping' },
  { number: 2, method: 'get', path: ORG, permission: 'organization:read' },
  { number: 3, method: 'get', path: `${ORG}u/`, permission: 'user:read' },
  { number: 4, method: 'post', path: `${ORG}u/`, permission: 'user:write', body: { email: 'new@acme.test' } },
  { number: 5, method: 'get', path: USER, permission: 'user:read' },
  { number: 6, method: 'put', path: USER, permission: 'user:write', body: {} },
  { number: 6, method: 'patch', path: USER, permission: 'user:write', body: {} },
  { number: 7, method: 'get', path: `${USER}address/`, permission: 'user:read' },
  { number: 8, method: 'post', path: `${USER}address/`, permission: 'user:write', body: { name: 'x', value: 'y' } },
  { number: 9, method: 'get', path: `${ORG}p/`, permission: 'organization:read' },
  { number: 10, method: 'get', path: PROJECT, permission: 'organization:read' },
  { number: 11, method: 'get', path: `${ORG}c/`, permission: 'organization:read' },
  { number: 12, method: 'get', path: `${PROJECT}c/`, permission: 'organization:read' },
  { number: 13, method: 'get', path: `${PROJECT}a/`, permission: 'organization:read' },
  { number: 14, method: 'get', path: EVENTS, permission: 'event:list' },
  { number: 15, method: 'post', path: `${EVENTS}{evt}/trigger/`, permission: 'event:trigger', body: {} },
  { number: 16, method: 'get', path: `${PROJECT}d/`, permission: 'distributionlist:read' },
  { number: 17, method: 'post', path: `${PROJECT}d/`, permission: 'distributionlist:write', body: { name: 'New' } },
  { number: 18, method: 'get', path: LIST, permission: 'distributionlist:read' },
  { number: 19, method: 'post', path: `${LIST}add/`, permission: 'distributionlist:write', body: ['x@acme.test'] },
  { number: 20, method: 'get', path: `${LIST}m/`, permission: 'distributionlist:read' },
];

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

const NAMES = { org: 'acme', prj: 'shop', app: 'web', evt: 'order-paid', username: 'ann@acme.test', pk: '1' };

/** The path with these names in it; those left out name what exists, the first list of all included. */
export function pathOf({ path }: Pick<Operation, 'path'>, names: Names = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: PathName) => encodeURIComponent(names[name] ?? NAMES[name]));
}

/** Each operation with each name in its path, and what a 404 calls the thing. */
export function pathNames(operations: readonly Operation[]) {
  return operations.flatMap((operation) =>
    (Object.keys(NOUNS) as PathName[])
      .filter((name) => operation.path.includes(`{${name}}`))
      .map((name) => ({ ...operation, name, noun: NOUNS[name] })),
  );
}

export const allBut = (permission: Permission) => PERMISSIONS.filter((other) => other !== permission);

export function call(app: TestApp, key: string | undefined, { method, body }: Operation, path: string) {
  const request = app.as(key)[method](path);
  return body ? request.send(body) : request;
}
