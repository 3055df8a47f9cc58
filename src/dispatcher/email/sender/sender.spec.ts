import { describe, expect, it } from '@jest/globals';
import type { MessageSender } from '../../dispatcher.js';
import { checkSender } from './sender.js';
import { readSettings } from '../smtp-settings.js';

const DOMAINS = ['acme.test', 'shop.test'];
const check = (sender: MessageSender, domains: string[] | null = DOMAINS) =>
  checkSender(sender, domains).map(({ part, code, sentence }) => `${part}: ${code}: ${sentence}`);

describe('a sender', () => {
  it.each(['shop@acme.test', 'Shop <shop@ACME.test>', '"Lee, Ann" <ann@shop.test>', 'Größe <g@shop.test>', ''])(
    '%j of a listed domain is accepted',
    (from) => {
      expect(check({ from })).toEqual([]);
    },
  );

  it.each(['evil.test', 'mail.acme.test', 'acme.test.evil.test', 'xacme.test'])(
    'of the domain %s is refused with the domains that are allowed',
    (domain) => {
      expect(check({ from: `Shop <a@${domain}>` })).toEqual([
        `from: not_allowed: must be an address of acme.test or shop.test, not of ${domain}: ` +
          'the from_domains of the channel list more domains',
      ]);
      expect(check({ from: `a@${domain}` }, null)).toEqual([]);
      expect(check({ reply_to: `a@${domain}` })).toEqual([]);
    },
  );

  it.each([
    'shop',
    'a@acme.test, b@acme.test',
    'a@acme.test <b@evil.test> <c@acme.test>',
    'Shop <evil@evil.test> <a@acme.test>',
    '"x" <b@acme.test> "y" <a@acme.test>',
    'a\r\nBcc: b@evil.test <a@acme.test>',
    'a@evil.test@acme.test',
    '<>',
  ])('%j is refused: it is not one address', (text) => {
    const problem = (part: string) => [
      expect.stringMatching(new RegExp(`^${part}: invalid_format: must be one e-mail`)),
    ];
    expect(check({ from: text })).toEqual(problem('from'));
    expect(check({ reply_to: text })).toEqual(problem('reply_to'));
  });
});

describe('the domains of a channel', () => {
  const domainsOf = (config: object) => {
    const settings = readSettings({ host: 'mail.test', from: 'Acme <a@Acme.test>', ...config });
    return 'problem' in settings ? settings.problem : settings.fromDomains;
  };

  it('are that of its own sender and those it lists, in one form', () => {
    expect(domainsOf({})).toEqual(['acme.test']);
    expect(domainsOf({ from_domains: ' Shop.test,bücher.test ,, acme.test' })).toEqual([
      'acme.test',
      'shop.test',
      'xn--bcher-kva.test',
    ]);
  });
});

describe('a header', () => {
  it.each([
    'X-Campaign',
    'x',
    'Feedback-ID',
    'References',
    'In-Reply-To',
    'Precedence',
    'List-Help',
    'X-To',
    'Fromage',
  ])('%s can be set', (name) => {
    expect(check({ headers: { [name]: 'x' } })).toEqual([]);
  });

  it.each([
    ['From', 'use the field from'],
    ['SENDER', 'use the field from'],
    ['reply-to', 'use the field reply_to'],
    ['Subject', 'use the field subject'],
    ...['To', 'Cc', 'bcc', 'Resent-To', 'X-SMTPAPI'].map((name) => [name, 'it can change who gets the mail'] as const),
    ...['Date', 'Message-ID', 'MIME-Version', 'Auto-Submitted'].map(
      (name) => [name, 'every mail has its own'] as const,
    ),
    ...['Content-Type', 'content-transfer-encoding'].map((name) => [name, 'use the fields text, html'] as const),
    ...['List-Unsubscribe', 'List-Unsubscribe-Post', 'List-ID'].map(
      (name) => [name, 'an event with a category'] as const,
    ),
    ...['Return-Path', 'Received', 'DKIM-Signature', 'Authentication-Results', 'ARC-Seal'].map(
      (name) => [name, 'mail servers write it'] as const,
    ),
  ])('%s cannot be set, and the sentence says why: %s', (name, why) => {
    expect(check({ headers: { [name]: '' } })).toEqual([
      expect.stringMatching(new RegExp(`^headers.${name}: not_allowed: cannot be set: .*${why}`)),
    ]);
  });

  it.each(['', ' X', 'X:', 'X\r\nBcc', 'X Y', '1X', '-X', 'Ü', `X${'y'.repeat(76)}`])('%j is not a name', (name) => {
    expect(check({ headers: { [name]: 'x' } })).toEqual([expect.stringContaining('is not a header name')]);
  });

  it('has at most 998 characters, and there are at most 20 headers, each once', () => {
    expect(check({ headers: { A: 'x'.repeat(998) } })).toEqual([]);
    expect(check({ headers: { A: 'x'.repeat(999) } })).toEqual([
      'headers.A: too_long: must have at most 998 characters, not 999',
    ]);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'x']));
    expect(check({ headers: many(20) })).toEqual([]);
    expect(check({ headers: many(21) })).toEqual(['headers: too_many: must have at most 20 names']);
    expect(check({ headers: { 'X-A': '1', 'x-a': '2' } })).toEqual([
      'headers.x-a: duplicate: is listed twice: case does not count',
    ]);
  });
});
