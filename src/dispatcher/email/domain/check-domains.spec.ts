import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DnsSink } from '../../../../test/support/sinks/dns-sink.js';
import type { ChannelConfig } from '../../dispatcher.js';
import { NAME_LIMITS, Names } from '../../outbound/names/names.js';
import { Outbound } from '../../outbound/outbound.js';
import { readDkimKey } from '../dkim/dkim-key.js';
import type { DkimKey } from '../dkim/dkim-key.js';
import { dkimRecord } from '../dkim/dkim-record.js';
import { EmailDispatcher } from '../email.dispatcher.js';
import { checkDomains } from './check-domains.js';
import { readDmarc } from './dmarc.js';
import type { DomainFinding } from './domain-finding.js';

const PEM = { type: 'pkcs8', format: 'pem' } as const;
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM) as string;
const OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM) as string;
const ED25519 = generateKeyPairSync('ed25519').privateKey.export(PEM) as string;
const recordOf = (pem: string) => dkimRecord(readDkimKey(pem) as DkimKey);

const SPF = 'v=spf1 include:_spf.example.com ~all';
const DMARC = 'v=DMARC1; p=none';
const signs: ChannelConfig = { dkim_selector: 'r1', dkim_private_key: RSA };

type Zone = Record<string, string[] | 'silence'>;
const good: Zone = {
  'acme.test': [SPF, 'other=1'],
  'r1._domainkey.acme.test': [recordOf(RSA)],
  '_dmarc.acme.test': [DMARC],
};

let dns: DnsSink | undefined;
afterEach(() => {
  dns?.close();
  dns = undefined;
});

/** What is found about a channel in this zone. */
async function findings(zone: Zone, config: ChannelConfig = signs) {
  dns?.close();
  dns = await DnsSink.start(
    () => undefined,
    (name) => zone[name],
  );
  const outbound = new Outbound({ servers: [dns.server] });
  const email = new EmailDispatcher(outbound);
  const found = await email.checkDomains({ host: 'mail.acme.test', from: 'a@acme.test', ...config }, 'acme');
  await outbound.close();
  return found as DomainFinding[];
}

const statesOf = async (zone: Zone, config?: ChannelConfig) =>
  (await findings(zone, config)).map(({ check, state }) => `${check} ${state}`);

describe('the records of a domain', () => {
  it('fit the channel', async () => {
    expect(await statesOf(good)).toEqual(['spf ok', 'dkim ok', 'dmarc ok', 'alignment ok']);
  });

  it('may all be missing, and each finding has the record to publish', async () => {
    const found = await findings({});
    expect(found.map(({ check, state, record }) => [check, state, record])).toEqual([
      ['spf', 'missing', 'acme.test'],
      ['dkim', 'missing', 'r1._domainkey.acme.test'],
      ['dmarc', 'missing', '_dmarc.acme.test'],
      ['alignment', 'ok', null],
    ]);
    expect(found.map(({ publish }) => publish)).toEqual([
      expect.stringContaining('v=spf1'),
      recordOf(RSA),
      DMARC,
      null,
    ]);
  });

  it.each<[string, string, Zone, string, RegExp]>([
    ['of SPF', 'twice', { 'acme.test': [SPF, 'v=spf1 -all'] }, 'spf wrong', /2 SPF records/],
    ['of SPF', 'for everybody', { 'acme.test': ['v=spf1 a +all'] }, 'spf wrong', /every server/],
    ['of DKIM', 'with another key', { 'r1._domainkey.acme.test': [recordOf(OTHER)] }, 'dkim wrong', /another key/],
    ['of DKIM', 'revoked', { 'r1._domainkey.acme.test': ['v=DKIM1; p='] }, 'dkim wrong', /revoked/],
    ['of DKIM', 'twice', { 'r1._domainkey.acme.test': [recordOf(RSA), recordOf(OTHER)] }, 'dkim wrong', /2 keys/],
    ['of DKIM', 'as a test', { 'r1._domainkey.acme.test': [`${recordOf(RSA)}; t=y`] }, 'dkim wrong', /testing/],
    [
      'of DKIM',
      'of another type',
      { 'r1._domainkey.acme.test': [recordOf(RSA).replace('k=rsa', 'k=ed25519')] },
      'dkim wrong',
      /k=rsa/,
    ],
    ['of DKIM', 'without sha256', { 'r1._domainkey.acme.test': [`h=sha1; ${recordOf(RSA)}`] }, 'dkim wrong', /sha256/],
    ['of DMARC', 'without a policy', { '_dmarc.acme.test': ['v=DMARC1'] }, 'dmarc wrong', /p=none/],
    ['of DMARC', 'twice', { '_dmarc.acme.test': [DMARC, DMARC] }, 'dmarc wrong', /2 DMARC records/],
  ])('%s, published %s, are wrong', async (_kind, _how, zone, expected, words) => {
    const wrong = (await findings({ ...good, ...zone })).filter(({ state }) => state !== 'ok');
    expect(wrong.map(({ check, state }) => `${check} ${state}`)).toEqual([expected]);
    expect(wrong[0]!.detail).toMatch(words);
  });

  it('may have spaces, other orders and no version', async () => {
    const spaced = recordOf(RSA)
      .replace('v=DKIM1; k=rsa; p=', ' p= ')
      .replace(/(.{60})/g, '$1 ');
    expect(await statesOf({ ...good, 'r1._domainkey.acme.test': [spaced] })).toContain('dkim ok');
  });

  it('are those of both keys and of all domains that templates may send from', async () => {
    const config = { ...signs, dkim_selector_2: 'e1', dkim_private_key_2: ED25519, from_domains: 'shop.test' };
    const zone = { ...good, 'e1._domainkey.shop.test': [recordOf(ED25519)] };
    const found = (await findings(zone, config)).filter(({ check }) => check === 'dkim');
    expect(found.map(({ record, state }) => `${record} ${state}`)).toEqual([
      'r1._domainkey.acme.test ok',
      'e1._domainkey.acme.test missing',
      'r1._domainkey.shop.test missing',
      'e1._domainkey.shop.test ok',
    ]);
  });

  it('of DMARC are also found at the domain above', async () => {
    const found = await findings(good, { ...signs, from: 'a@mail.shop.acme.test' });
    expect(found.find(({ check }) => check === 'dmarc')).toMatchObject({ state: 'ok', record: '_dmarc.acme.test' });
  });
});

describe('alignment', () => {
  const config = { from: 'a@shop.acme.test', ...signs, dkim_domain: 'acme.test' };
  const alignment = async (zone: Zone, change: ChannelConfig) =>
    (await findings(zone, change)).find(({ check }) => check === 'alignment');

  it('is given within one organization, unless DMARC is strict', async () => {
    expect(await alignment(good, config)).toMatchObject({ state: 'ok' });
    const strict = { ...good, '_dmarc.acme.test': [`${DMARC}; adkim=s`] };
    expect(await alignment(strict, { ...config, bounce_domain: 'bounces.example' })).toMatchObject({
      state: 'wrong',
      detail: expect.stringContaining('adkim=s'),
    });
  });

  it('is given by SPF although DMARC is strict about the signature', async () => {
    const strict = { ...good, '_dmarc.acme.test': [`${DMARC}; adkim=s`] };
    expect(await alignment(strict, config)).toMatchObject({ state: 'ok', detail: expect.stringContaining('by SPF') });
    const both = { ...good, '_dmarc.acme.test': [`${DMARC}; adkim=s; aspf=s`] };
    expect(await alignment(both, { ...config, bounce_domain: 'acme.test' })).toMatchObject({ state: 'wrong' });
  });

  it('of a channel that does not sign depends on the envelope sender', async () => {
    const unsigned = { from: 'a@acme.test', dkim_selector: undefined, dkim_private_key: undefined };
    const without = (change: object) =>
      alignment(good, JSON.parse(JSON.stringify({ ...unsigned, ...change })) as ChannelConfig);
    expect(await without({})).toMatchObject({ state: 'ok', detail: expect.stringContaining('not signed here') });
    expect(await without({ bounce_domain: 'bounces.acme.test' })).toMatchObject({ state: 'ok' });
    expect(await without({ bounce_domain: 'bounces.example' })).toMatchObject({ state: 'wrong' });
  });
});

describe('name servers that do not answer', () => {
  it('are a finding of their own', async () => {
    dns = await DnsSink.start(
      () => undefined,
      () => 'silence',
    );
    const names = new Names({ servers: [dns.server], limits: { ...NAME_LIMITS, lookUpMs: 50 } });
    const email = new EmailDispatcher({ texts: (name, by) => names.texts(name, by) } as Outbound);
    const settings = { host: 'mail.acme.test', from: 'a@acme.test', ...signs };
    const found = (await email.checkDomains(settings, 'acme')) as DomainFinding[];
    names.close();
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'spf unknown',
      'dkim unknown',
      'dmarc unknown',
      'alignment ok',
    ]);
    expect(found[0]!.detail).toBe('Not known: no name server answered.');
  });

  it('leave the rest unknown after the deadline for all, and are asked no more', async () => {
    const asked: string[] = [];
    const never = (name: string) => {
      asked.push(name);
      return new Promise<never>(() => undefined);
    };
    const sending = { fromDomains: ['acme.test', 'shop.test'], bounceDomain: null, dkim: null };
    const found = await checkDomains(sending, never, 20);
    expect(found.map(({ domain, check, state }) => `${domain} ${check} ${state}`)).toEqual([
      'acme.test spf unknown',
      'acme.test dmarc unknown',
      'acme.test alignment ok',
      'shop.test spf unknown',
      'shop.test dmarc unknown',
      'shop.test alignment ok',
    ]);
    expect(found[0]!.detail).toBe('Not known: the check took too long.');
    expect(asked).toEqual(['acme.test', '_dmarc.acme.test']);
  });
});

describe('a hostile text', () => {
  // With a regular expression that tries each semicolon as the start of the end, this takes minutes.
  it('of DMARC is read once', async () => {
    const hostile = `v=DMARC1; p=none${';'.repeat(1_000_000)}x; ;`;
    const { finding } = await readDmarc('acme.test', async () => [hostile]);
    expect([finding.state, finding.detail.slice(-4)]).toEqual(['ok', ';;x.']);
  });
});

it('wrong settings are a problem, not an empty list', async () => {
  const email = new EmailDispatcher({} as Outbound);
  const wrong = { host: 'mail.acme.test', from: 'a@acme.test', dkim_selector: 'r1' };
  expect(await email.checkDomains(wrong, 'acme')).toEqual({ problem: expect.stringContaining('set both') });
});
