import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const read = (servers: string) => readConfig({ DATABASE_URL: 'postgresql://u@a/d', NAME_SERVERS: servers }).nameServers;

describe('NAME_SERVERS', () => {
  it.each(['10.0.0.2', '10.0.0.2:1', '10.0.0.2:65535', '2001:db8::2', '[2001:db8::2]:5353'])('may be %s', (server) => {
    expect(read(server)).toEqual([server]);
  });

  it.each(['10.0.0.2:0', '10.0.0.2:99999', '10.0.0.2:', '[10.0.0.2]:53', '[2001:db8::2]:0', 'dns.test:53', '[::1:53'])(
    'may not be %s',
    (server) => {
      expect(() => read(`10.0.0.3,${server}`)).toThrow(`and "${server}" is none`);
    },
  );
});
