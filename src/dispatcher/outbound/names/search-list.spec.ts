import { describe, expect, it } from '@jest/globals';
import { fullNames, parseResolvConf } from './search-list.js';

describe('resolv.conf', () => {
  it.each([
    ['', { domains: [], ndots: 1 }],
    [
      'nameserver 10.0.0.1\nsearch a.test b.test.\noptions ndots:5 timeout:1',
      { domains: ['a.test', 'b.test'], ndots: 5 },
    ],
    ['domain a.test\nsearch b.test # c.test', { domains: ['b.test'], ndots: 1 }],
    ['search .\noptions ndots:0\noptions edns0', { domains: [], ndots: 0 }],
    ['; search a.test', { domains: [], ndots: 1 }],
  ])('%j', (text, list) => {
    expect(parseResolvConf(text)).toEqual(list);
  });
});

describe('the full names', () => {
  const kubernetes = { domains: ['ns.svc.cluster.local', 'cluster.local'], ndots: 5 };

  it.each([
    ['relay', kubernetes, ['relay.ns.svc.cluster.local', 'relay.cluster.local', 'relay']],
    ['relay.mail', kubernetes, ['relay.mail', 'relay.mail.ns.svc.cluster.local', 'relay.mail.cluster.local']],
    ['relay.', kubernetes, ['relay']],
    ['a.b.c.d.e.test', kubernetes, ['a.b.c.d.e.test']],
    ['smtp.example.test', { domains: ['acme.test'], ndots: 1 }, ['smtp.example.test']],
    ['db', { domains: ['acme.test'], ndots: 0 }, ['db', 'db.acme.test']],
    ['db', { domains: [], ndots: 1 }, ['db']],
  ])('of %s', (name, list, full) => {
    expect(fullNames(name, list)).toEqual(full);
  });
});
