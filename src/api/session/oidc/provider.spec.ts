import { expect, it } from '@jest/globals';
import { groupsOf, operatorOf, rightsOf } from './provider.js';
import type { Claims, GroupRights, Provider } from './provider.js';

it.each<[Claims, string]>([
  [{ sub: '1', email: 'ann@acme.test', preferred_username: 'ann' }, 'ann@acme.test'],
  [{ sub: '1', email: 'ann@acme.test', email_verified: false, preferred_username: 'ann' }, 'ann'],
  [{ sub: '1', email: 'ann@acme.test', email_verified: 'false', preferred_username: 'ann' }, 'ann'],
  [{ sub: '1', email: 'ann@acme.test', email_verified: 0, preferred_username: 'ann' }, 'ann'],
  [{ sub: '1', email: 'ann@acme.test', email_verified: 'true', preferred_username: 'ann' }, 'ann@acme.test'],
  [{ sub: '1', email: ' ', preferred_username: 7 }, '1'],
  [{ sub: 'a\u0000b' }, 'ab'],
  [{ sub: 'x'.repeat(300) }, 'x'.repeat(255)],
  [{}, ''],
])('names the operator with the claims %j %s', (claims, name) => {
  expect(operatorOf(claims)).toBe(name);
});

it.each<[unknown, string[] | null]>([
  [
    ['a', 1, 'b'],
    ['a', 'b'],
  ],
  ['a', ['a']],
  [undefined, null],
  [{ a: true }, null],
])('reads the groups %j as %j', (groups, expected) => {
  expect(groupsOf({ groups }, 'groups')).toEqual(expected);
});

it('gives the rights of the first group in the file', () => {
  const [first, second] = ['first', 'second'].map((group) => ({ group })) as GroupRights[];
  const provider = { groups: [first, second] } as Provider;
  expect(rightsOf(provider, ['second', 'first'])).toBe(first);
  expect(rightsOf(provider, ['second'])).toBe(second);
  expect(rightsOf(provider, ['FIRST'])).toBeNull();
});
