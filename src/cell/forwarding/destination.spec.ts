import { expect, it } from '@jest/globals';
import { destinationOf } from './destination.js';

const acme = { by: 'slug', slug: 'acme' };

it.each([
  ['GET', '/api/o/acme', acme],
  ['GET', '/api/o/acme/', acme],
  ['POST', '/api/o/acme/p/shop/a/web/e/paid/trigger/', acme],
  ['GET', '/API/O/acme/u', acme],
  ['GET', '/api/o/ac%6De/u', acme],
  ['POST', '/twilio/acme/sms', acme],
  ['GET', '/files/acme/TOKEN', acme],
  ['GET', '/logos/acme/FILE', acme],
  ['POST', '/reports/acme/shop/mail', acme],
  ['GET', '/u/TOKEN', { by: 'link', token: 'TOKEN' }],
  ['POST', '/u/TOKEN/preferences', { by: 'link', token: 'TOKEN' }],
  ['POST', '/a/TOKEN', { by: 'link', token: 'TOKEN' }],
  ['POST', '/m/TOKEN', { by: 'link', token: 'TOKEN' }],
  ['GET', '/api/o', { by: 'key' }],
  ['HEAD', '/api/o/', { by: 'key' }],
  ['POST', '/api/o/', null],
  ['GET', '/api/session/', { by: 'key' }],
  ['DELETE', '/api/session', { by: 'key' }],
  ['POST', '/api/session/', { by: 'body' }],
  ['GET', '/api/session/providers', null],
  ['GET', '/api/system/ping/', null],
  ['GET', '/health/ready', null],
  ['GET', '/', null],
  ['GET', '/console/o/acme', null],
])('%s %s', (method, path, expected) => {
  expect(destinationOf(method, path)).toEqual(expected);
});
