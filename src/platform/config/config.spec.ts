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

describe('the address that links in messages start with', () => {
  const links = (env: Record<string, string>) => readConfig(env).linksUrl;

  it('is PUBLIC_URL', () => {
    expect(links({ PUBLIC_URL: 'https://notify.test/', PORT: '3555' })).toBe('https://notify.test');
  });

  it('is this machine while somebody tries the service out on it', () => {
    expect(links({ PORT: '3555' })).toBe('http://127.0.0.1:3555');
  });

  it.each([
    ['DATABASE_URL', 'postgresql://u@a/d'],
    ['HOST', '0.0.0.0'],
    ['PORT', '0'],
  ])('is unknown with %s=%s', (name, value) => {
    expect(links({ [name]: value })).toBeNull();
  });
});
