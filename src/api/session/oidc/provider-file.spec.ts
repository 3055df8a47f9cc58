import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../auth/permission.js';
import { ROLES } from '../../../auth/role/role.js';
import { readProviders } from './provider-file.js';

const folder = mkdtempSync(join(tmpdir(), 'carillon-'));
const file = join(folder, 'oidc.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (content: unknown) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readProviders(file);
};

const GROUP = { group: 'ops', permissions: 'all' };
const PROVIDER = { slug: 'sso', name: 'SSO', issuer: 'https://sso.test/', client_id: 'carillon', groups: [GROUP] };

it('reads a provider, with defaults', () => {
  expect(read({ providers: [PROVIDER] })).toEqual([
    {
      ...{ slug: 'sso', name: 'SSO', issuer: 'https://sso.test/', clientId: 'carillon', clientSecret: null },
      ...{ scope: 'openid email profile', groupsClaim: 'groups' },
      groups: [{ group: 'ops', permissions: PERMISSIONS, organization: null, project: null, application: null }],
    },
  ]);
});

it('reads a secret from the file, from another file, or from the environment', () => {
  writeFileSync(join(folder, 'secret'), 's3cret\n');
  process.env.TEST_OIDC_SECRET = 'of the environment';
  const secrets = ['plain', { file: 'secret' }, { env: 'TEST_OIDC_SECRET' }].map(
    (client_secret) => read({ providers: [{ ...PROVIDER, client_secret }] })[0]!.clientSecret,
  );
  delete process.env.TEST_OIDC_SECRET;
  expect(secrets).toEqual(['plain', 's3cret', 'of the environment']);
});

it('reads the name of a role in place of its permissions', () => {
  const { groups } = read({ providers: [{ ...PROVIDER, groups: [{ group: 'help', permissions: 'support' }] }] })[0]!;
  expect(groups[0]!.permissions).toEqual(ROLES.support);
});

const group = (change: object) => ({ providers: [{ ...PROVIDER, groups: [{ ...GROUP, ...change }] }] });
const provider = (change: object) => ({ providers: [{ ...PROVIDER, ...change }] });

it.each<[unknown, string]>([
  ['{', 'is not valid YAML'],
  ['', 'must have the fields providers'],
  [{ provider: [] }, 'provider is not a known field: did you mean providers?'],
  [{ providers: [] }, 'providers must be a list of at least one'],
  [{ providers: [PROVIDER, PROVIDER] }, 'providers[1].slug must not occur twice'],
  [provider({ slug: 'A b' }), 'providers[0].slug must be'],
  [provider({ name: undefined }), 'providers[0].name is required'],
  [provider({ name: 7 }), 'providers[0].name must be a text'],
  [provider({ issuer: 'http://sso.test' }), 'providers[0].issuer must be a URL that starts with https://'],
  [provider({ issuer: 'sso' }), 'providers[0].issuer must be a URL'],
  [provider({ clientid: 'x' }), 'providers[0].clientid is not a known field: did you mean client_id?'],
  [provider({ client_secret: { env: 'NOT_SET_AT_ALL' } }), 'providers[0].client_secret.env names NOT_SET_AT_ALL'],
  [provider({ client_secret: { file: 'nowhere' } }), 'providers[0].client_secret.file: cannot read'],
  [provider({ client_secret: { env: 'A', file: 'b' } }), 'providers[0].client_secret must be a text'],
  [provider({ groups: [] }), 'providers[0].groups must be a list'],
  [group({ group: '' }), 'providers[0].groups[0].group must be a text'],
  [
    group({ permissions: ['user:fly'] }),
    'providers[0].groups[0].permissions[0] must be all, a role (viewer, support, editor, administrator), or a list of system:ping',
  ],
  [group({ permissions: undefined }), 'providers[0].groups[0].permissions must be all'],
  [group({ permissions: 'owner' }), 'providers[0].groups[0].permissions must be all, a role'],
  [group({ project: 'shop' }), 'providers[0].groups[0].project requires organization'],
  [group({ organization: 'acme', application: 'web' }), 'providers[0].groups[0].application requires project'],
])('refuses %j: %s', (content, problem) => {
  expect(() => read(content)).toThrow(
    `OIDC_FILE: ${problem}`.replace('OIDC_FILE: providers[0].client_secret.file:', 'providers[0].client_secret.file:'),
  );
});
