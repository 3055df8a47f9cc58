import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { isStream, operations } from '../support/contract/contract.js';
import { ACME_NAMES, BODIES, fillPath } from '../support/contract/operations.js';
import { forbidden } from '../support/contract/problems.js';

// What each role may do, beside what the role before it may do. A new permission stands here, on purpose, or these tests fail.
const VIEWER = `
  system:ping organization:read user:read preference:read device:read event:list notification:read occurrence:read
  distributionlist:read suppression:read`;
const SUPPORT = `user:write preference:write event:trigger occurrence:write suppression:write audit:read member:read`;
const EDITOR = `event:write notification:write distributionlist:write device:write upload:write configuration:read`;
const ADMINISTRATOR = `
  organization:write configuration:write channel:write user:export event:trigger-critical apikey:read apikey:write token:create member:write`;

const words = (...texts: string[]) => texts.flatMap((text) => text.trim().split(/\s+/));
const ROLES: Record<string, string[]> = {
  viewer: words(VIEWER),
  support: words(VIEWER, SUPPORT),
  editor: words(VIEWER, SUPPORT, EDITOR),
  administrator: words(VIEWER, SUPPORT, EDITOR, ADMINISTRATOR),
};

/** Of a path: names that Acme has, and others that nothing has. */
const NAMES = {
  ...ACME_NAMES,
  ...{
    notification: '1',
    member: '1',
    occurrence: '00000000-0000-7000-8000-000000000000',
    delivery: '1',
    message: '1',
  },
  ...{ key: '999999', session: '999999', secret: '999999', suppression: '999999', partial: 'end' },
  upload: '00000000-0000-4000-8000-000000000000',
};

let app: TestApp;
let everything: string;
useAcme((acme) => ({ app, key: everything } = acme));

interface Answer {
  status: number;
  detail?: string;
}

async function call(key: string, { method, path, ...operation }: (typeof operations)[number]): Promise<Answer> {
  // What a configuration contains needs permissions beside those for configurations.
  const body = path.includes('/configuration/')
    ? method !== 'GET' && {}
    : BODIES[`${method} ${path}`]?.({ channel: 'mail', list: 'Staff' });
  const response = await fetch(app.url + fillPath(path, NAMES), {
    ...{ method, body: typeof body === 'object' ? JSON.stringify(body) : body || undefined },
    headers: {
      Authorization: `Key ${key}`,
      ...(body && { 'Content-Type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
    },
  });
  if (response.ok && isStream({ method, path, ...operation })) {
    await response.body?.cancel();
    return { status: response.status };
  }
  const text = await response.text();
  return { status: response.status, detail: response.ok ? undefined : (JSON.parse(text) as Answer).detail };
}

it('lists the roles with their permissions', async () => {
  const { status, body } = await app.as(everything).get('/api/roles/');
  const roles = body as { name: string; permissions: string[] }[];
  expect(status).toBe(200);
  expect(roles.map(({ name }) => name)).toEqual(Object.keys(ROLES));
  for (const { name, permissions } of roles)
    expect([name, permissions.toSorted()]).toEqual([name, ROLES[name]!.toSorted()]);
});

// An administrator may delete the project that the others are bound to: whoever reaches less comes first.
describe.each([
  ['project', { project: 'shop' }],
  ['organization', {}],
] as const)('a role that reaches one %s', (reach, bound) => {
  describe.each(Object.entries(ROLES))('%s', (role, permissions) => {
    let key: string;
    beforeAll(async () => {
      const { body: roles } = await app.as(everything).get('/api/roles/');
      const of = (roles as { name: string; permissions: string[] }[]).find(({ name }) => name === role)!;
      const created = await app
        .as(everything)
        .post('/api/o/acme/k/')
        .send({ name: role, permissions: of.permissions, ...bound });
      ({ key } = created.body as { key: string });
    });

    it('may call exactly the operations whose permission it has', async () => {
      for (const operation of operations) {
        const { method, path, 'x-permission': permission, 'x-reach': needed } = operation;
        if (!permission) continue;
        const name = `${method} ${path}`;
        const { status, detail } = await call(key, operation);
        if (!permissions.includes(permission)) {
          expect([name, status, detail]).toEqual([name, 403, forbidden(permission).detail]);
        } else if (needed === 'service' || (needed === 'organization' && reach === 'project')) {
          expect([name, status, detail]).toEqual([name, 403, expect.stringContaining('is bound to')]);
        } else {
          expect([name, [401, 403].includes(status), status < 500]).toEqual([name, false, true]);
        }
      }
    });
  });
});
