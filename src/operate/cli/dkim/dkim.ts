import { generateKeyPair } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseDomain } from '../../../dispatcher/email/address.js';
import { readDkimKey } from '../../../dispatcher/email/dkim/dkim-key.js';
import { dkimRecord, dkimRecordName, stringsOf } from '../../../dispatcher/email/dkim/dkim-record.js';
import { isSelector } from '../../../dispatcher/email/dkim/dkim-settings.js';
import { CommandError, cannotRead, print } from '../print/print.js';

export interface CreateDkimOptions {
  selector?: string;
  type: string;
  out?: string;
  json?: boolean;
}

export interface DkimRecordOptions {
  selector: string;
  json?: boolean;
}

interface DnsRecord {
  domain: string;
  selector: string;
  name: string;
  value: string;
  strings: string[];
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;
const newKey = promisify(generateKeyPair);

/** Receivers need not read RSA keys of more bits, and each bit more makes every mail slower. */
const RSA = { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;

export async function create(domain: string, { selector, type, out, json }: CreateDkimOptions): Promise<void> {
  if (type !== 'rsa' && type !== 'ed25519') throw new CommandError(`--type must be rsa or ed25519, not "${type}"`);
  const name = selector ?? `${type[0]}${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
  const checked = { domain: domainIn(domain), selector: selectorIn(name) };
  const { privateKey } =
    type === 'rsa'
      ? await newKey('rsa', { ...RSA, privateKeyEncoding: PEM })
      : await newKey('ed25519', { publicKeyEncoding: RSA.publicKeyEncoding, privateKeyEncoding: PEM });
  const published = recordOf(privateKey, checked);
  if (out !== undefined) await writeKey(out, privateKey);
  const shown = out === undefined ? privateKey.trimEnd() : `The private key is in ${out}.`;
  const text = `${shown}\n\n${recordText(published)}\n\n${NEXT.replace('SELECTOR', published.selector)}`;
  await print({ json }, { ...published, ...(out === undefined && { private_key: privateKey }) }, text);
}

export async function record(domain: string, file: string, { selector, json }: DkimRecordOptions): Promise<void> {
  const checked = { domain: domainIn(domain), selector: selectorIn(selector) };
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const published = recordOf(pem, checked);
  await print({ json }, published, recordText(published));
}

const NEXT =
  'When the record is visible everywhere, set dkim_selector: SELECTOR and dkim_private_key of the channel. docs/dkim.md says more.';

function recordOf(pem: string, { domain, selector }: Pick<DnsRecord, 'domain' | 'selector'>): DnsRecord {
  const key = readDkimKey(pem);
  if ('problem' in key) throw new CommandError(`the key ${key.problem}`);
  const value = dkimRecord(key);
  return { domain, selector, name: dkimRecordName(selector, domain), value, strings: stringsOf(value) };
}

/** As in the file of a zone, and as in the form of a provider, which splits the value itself. */
function recordText({ domain, name, value, strings }: DnsRecord): string {
  const quoted = strings.map((each) => `  "${each}"`).join('\n');
  return [
    `Publish this record in the zone of ${domain}:`,
    `${name}. 3600 IN TXT (\n${quoted}\n)`,
    `In a web form, the name is ${name}, the type TXT, and the value one line:`,
    value,
  ].join('\n\n');
}

function domainIn(text: string): string {
  const domain = parseDomain(text);
  if (domain === null || !domain.includes('.')) throw new CommandError(`"${text}" is not a domain, such as acme.test`);
  return domain;
}

function selectorIn(text: string): string {
  if (!isSelector(text))
    throw new CommandError(`--selector must be letters, digits, hyphens and dots, such as c2026a, not "${text}"`);
  return text;
}

/** Only your account can read the file. A key that exists is not overwritten: mails may still be signed with it. */
async function writeKey(file: string, pem: string): Promise<void> {
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' ? 'it exists already' : error.code;
    throw new CommandError(`cannot write ${file}: ${reason}`, { cause: error });
  });
}
