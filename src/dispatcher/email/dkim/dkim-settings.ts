import type { ChannelConfig, ConfigField } from '../../dispatcher.js';
import { parseDomain } from '../address.js';
import { problemWithDkimKey, readDkimKey } from './dkim-key.js';
import type { Signer } from './sign-mail.js';

export interface DkimSettings {
  /** The domain that signs; null: the domain of each mail's From. */
  domain: string | null;
  signers: readonly Signer[];
}

/** Two keys: for both algorithms, or for the change to a new key. */
const PAIRS = [
  ['dkim_selector', 'dkim_private_key'],
  ['dkim_selector_2', 'dkim_private_key_2'],
] as const;

/** Nobody can publish a key for a top-level domain. */
const notADomain = (value: string): string | null =>
  parseDomain(value)?.includes('.') ? null : 'must be a domain, such as acme.test';

const SELECTOR = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

export const isSelector = (text: string): boolean => text.length <= 63 && SELECTOR.test(text);

const plain = { required: false, secret: false, kind: 'string' } as const;

const selector = (key: string, label: string, help: string): ConfigField => ({
  ...plain,
  ...{ key, label, help, max: 63 },
  problem: (value) => (isSelector(value) ? null : 'must be letters, digits, hyphens and dots, such as c2026a'),
});

const privateKey = (key: string, label: string, help: string): ConfigField => ({
  ...plain,
  ...{ key, label, help, kind: 'private_key', secret: true, max: 5000 },
  problem: problemWithDkimKey,
});

export const DKIM_FIELDS: readonly ConfigField[] = [
  selector('dkim_selector', 'DKIM selector', 'The name of the key in DNS: the record is at SELECTOR._domainkey.DOMAIN'),
  privateKey(
    'dkim_private_key',
    'DKIM private key',
    'In PEM format: RSA of 2048 bits or more, or Ed25519. `carillon dkim create` makes one. Unset: mails are not signed here',
  ),
  selector('dkim_selector_2', 'Second DKIM selector', 'Each mail is then signed with both keys'),
  privateKey('dkim_private_key_2', 'Second DKIM private key', 'For a second algorithm, or while you change keys'),
  {
    ...plain,
    key: 'dkim_domain',
    label: 'DKIM domain',
    max: 253,
    problem: notADomain,
    help: 'acme.test, for From addresses in it and in its subdomains. Unset: the domain of From of each mail',
  },
];

/** Reads a channel's DKIM settings; null: it does not sign. `fromDomains`: the domains that its mails come from. */
export function readDkim(
  config: ChannelConfig,
  fromDomains: readonly string[],
): DkimSettings | null | { problem: string } {
  const signers: Signer[] = [];
  for (const [selectorKey, privateKeyKey] of PAIRS) {
    const [name, pem] = [config[selectorKey], config[privateKeyKey]];
    if ((name === undefined) !== (pem === undefined))
      return { problem: `set both "${selectorKey}" and "${privateKeyKey}" of the channel, or neither` };
    if (name === undefined) continue;
    const key = readDkimKey(String(pem));
    if ('problem' in key) return { problem: `the channel’s "${privateKeyKey}" ${key.problem}` };
    signers.push({ ...key, selector: String(name) });
  }
  const domain = config.dkim_domain === undefined ? null : parseDomain(String(config.dkim_domain));
  if (signers.length === 0)
    return domain === null ? null : { problem: 'set "dkim_selector" and "dkim_private_key" with "dkim_domain"' };
  if (signers[0]?.selector.toLowerCase() === signers[1]?.selector.toLowerCase())
    return { problem: '"dkim_selector" and "dkim_selector_2" must differ' };
  const stranger = domain === null ? undefined : fromDomains.find((from) => !isAligned(from, domain));
  return stranger === undefined
    ? { domain, signers }
    : { problem: `"dkim_domain" ${domain} cannot sign mail from ${stranger}: ${NOT_ALIGNED}` };
}

const NOT_ALIGNED =
  'DMARC ignores the signature of another domain. Leave "dkim_domain" out, and each mail is signed for the domain of its From';

/** Whether DMARC accepts the signature of a domain for mail from another one, as far as the names show: one is within the other. */
export function isAligned(from: string, domain: string): boolean {
  return from === domain || from.endsWith(`.${domain}`) || domain.endsWith(`.${from}`);
}
