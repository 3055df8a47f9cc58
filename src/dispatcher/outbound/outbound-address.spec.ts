import { describe, expect, it } from '@jest/globals';
import { parseAllow, parseSubnet } from '../../platform/field/subnet.js';
import { plainHost, plainUrl, refusal } from './outbound-address.js';

describe('an allow-list', () => {
  it('is a comma-separated list of addresses and subnets', () => {
    expect(parseAllow(' 10.0.0.0/8, 192.168.1.7,::1 , fd00::/8,')).toEqual([
      '10.0.0.0/8',
      '192.168.1.7/32',
      '::1/128',
      'fd00::/8',
    ]);
    expect(parseAllow('')).toEqual([]);
  });

  it.each([
    '10.0.0',
    '10/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'localhost',
    '0x7f.1',
    'fe80::1%eth0',
  ])('names the invalid entry %s', (piece) => {
    expect(() => parseAllow(`10.0.0.0/8,${piece}`)).toThrow(`"${piece}" is not an IP address or a subnet`);
  });
});

describe('an address that is not public', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'linkLocal'],
    ['168.63.129.16', 'reserved'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['192.168.0.1', 'private'],
    ['198.18.0.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'reserved'],
    ['::1', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['::8.8.8.8', 'reserved'],
    ['::ffff:127.0.0.1', 'ipv4Mapped'],
    ['::ffff:8.8.8.8', 'ipv4Mapped'],
    ['::ffff:0:127.0.0.1', 'rfc6145'],
    ['64:ff9b::7f00:1', 'rfc6052'],
    ['64:ff9b:1::7f00:1', 'rfc6052'],
    ['2002:7f00:1::', '6to4'],
    ['2001::1', 'teredo'],
    ['2001:db8::1', 'reserved'],
    ['fc00::1', 'uniqueLocal'],
    ['fd00:ec2::254', 'uniqueLocal'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['fec0::1', 'deprecatedSiteLocal'],
    ['ff02::1', 'multicast'],
  ])('%s is refused as %s', (address, range) => {
    expect(refusal(address, [])).toBe(range);
  });

  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::5'])('%s is public', (address) => {
    expect(refusal(address, [])).toBeNull();
  });

  it('is allowed only when the allow-list contains it', () => {
    const allow = ['127.0.0.0/8', 'fd00::/8'].map(parseSubnet);
    expect(refusal('127.0.0.1', allow)).toBeNull();
    expect(refusal('fd00::5', allow)).toBeNull();
    expect(refusal('10.0.0.1', allow)).toBe('private');
    expect(refusal('::ffff:127.0.0.1', allow)).toBe('ipv4Mapped');
    expect(refusal('::ffff:127.0.0.1', ['::ffff:0:0/96'].map(parseSubnet))).toBeNull();
  });
});

describe('a host', () => {
  it.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['Mail.Example.com', 'mail.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s is read as %s', (host, plain) => {
    expect(plainHost(host)).toBe(plain);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a@b',
    'a:25',
    'a\r\nb',
    'a\0b',
    'a?b',
    'a#b',
    'a%62',
    'fe80::1%eth0',
    '[::1',
    '999.1.1.1',
  ])('%p is not valid', (host) => {
    expect(() => plainHost(host)).toThrow('is not a host name or address');
  });
});

describe('a URL', () => {
  it.each([
    ['ftp://a.test/', 'only http and https'],
    ['file:///etc/passwd', 'only http and https'],
    ['gopher://a.test/', 'only http and https'],
    ['javascript:alert(1)', 'only http and https'],
    ['http://ann@a.test/', 'credentials'],
    ['http://ann:pw@a.test/', 'credentials'],
    ['/in', 'not a URL'],
    ['http://', 'not a URL'],
  ])('%s is refused', (url, reason) => {
    expect(() => plainUrl(url)).toThrow(reason);
  });
});
