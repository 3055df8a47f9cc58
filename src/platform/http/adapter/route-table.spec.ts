import { describe, expect, it } from '@jest/globals';
import { RouteTable, isLiteral, mayLieBelow } from './route-table.js';

const table = new RouteTable<string>();
table.add('GET', '/api/system/ping', 'ping');
table.add('GET', '/api/o/:org/u/:username', 'user');
table.add('POST', '/api/o/:org/u/:username', 'update');
table.add('GET', '/api/o/:org/u/me', 'never reached');
table.add('GET', '/api/openapi.yaml', 'contract');
table.add('GET', '/api/docs/LICENSE', 'license');
table.add('GET', '/api/docs/:page', 'page');

const find = (path: string, method = 'GET') => {
  const found = table.find(method, path);
  return found && [found.target, { ...found.params }];
};

describe('a path that is known', () => {
  it.each([
    ['/api/system/ping', 'ping', {}],
    ['/api/system/ping/', 'ping', {}],
    ['/api/openapi.yaml', 'contract', {}],
    ['/api/docs/LICENSE', 'license', {}],
    ['/api/docs/Licenses', 'page', { page: 'Licenses' }],
    ['/api/o/acme/u/ann@acme.test/', 'user', { org: 'acme', username: 'ann@acme.test' }],
    ['/api/o/a%2Fb/u/%C3%BC', 'user', { org: 'a/b', username: 'ü' }],
    ['/api/o/__proto__/u/x', 'user', { org: '__proto__', username: 'x' }],
  ])('%s', (path, target, params) => {
    expect(find(path)).toEqual([target, params]);
  });

  it('means the route of its method', () => {
    expect(find('/api/o/acme/u/x', 'POST')).toEqual(['update', { org: 'acme', username: 'x' }]);
    expect(find('/api/o/acme/u/x', 'DELETE')).toBeNull();
    expect(find('/api/o/acme/u/x', 'HEAD')).toBeNull();
  });

  it('means the route that was added first, as with Express', () => {
    expect(find('/api/o/acme/u/me')).toEqual(['user', { org: 'acme', username: 'me' }]);
  });
});

it.each([
  '',
  '/',
  '/api/system',
  '/api/system/ping//',
  '//api/system/ping',
  '/API/system/ping',
  '/api/docs/license',
  '/api/docs/%ff',
  '/api/system/ping#x',
  '/api/system/ping/x',
  '/api/o//u/x',
  '/api/o/acme/u//',
  '/api/o/acme/u/\u00a0',
  'http://localhost/api/system/ping',
  '*',
])('leaves %j to Express', (path) => {
  expect(find(path)).toBeNull();
});

it.each(['/files/*path', '/a{/b}', '/a/:x-:y', '/a/:x.json', '/a b'])('does not accept the route %s', (path) => {
  expect(RouteTable.accepts(path)).toBe(false);
});

it.each([
  ['/assets', '/assets', true],
  ['/assets/', '/assets/:file', true],
  ['/assets', '/Assets/logo', true],
  ['/assets', '/:folder/logo', true],
  ['/assets', '/api/logo', false],
  ['/api/docs', '/api', false],
  ['/api/docs', '/api/o/:org', false],
])('below %s there may be a request for %s: %s', (prefix, path, expected) => {
  expect(mayLieBelow(prefix, path)).toBe(expected);
});

it.each([
  ['/assets', true],
  ['/api/docs/', true],
  ['/', false],
  ['/:tenant', false],
  ['/a/*path', false],
])('the prefix %s is literal: %s', (path, expected) => {
  expect(isLiteral(path)).toBe(expected);
});
