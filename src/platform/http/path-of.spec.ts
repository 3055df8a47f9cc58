import { describe, expect, it } from '@jest/globals';
import { loggedPath } from './path-of.js';

describe('loggedPath', () => {
  it.each([
    ['/api/o/acme/p/shop/a/web/e/paid/trigger/?x=1', '/api/o/acme/p/shop/a/web/e/paid/trigger/'],
    ['/u/abc.def/unsubscribe', '/u/:token/unsubscribe'],
    ['/a/abc', '/a/:token'],
    ['/m/abc/undo', '/m/:token/undo'],
    ['/files/acme/abc', '/files/acme/:token'],
    ['/API/O/acme/U/ada/', '/API/O/acme/U/:username/'],
    ['/api/o/acme/u/ada%40acme.test/deliveries/', '/api/o/acme/u/:username/deliveries/'],
    ['/nowhere/ada@acme.test/x%40y', '/nowhere/:address/:address'],
  ])('turns %s into %s', (url, path) => {
    expect(loggedPath(url)).toBe(path);
  });
});
