import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { readDkimKey } from '../../src/dispatcher/email/dkim/dkim-key.js';
import type { DkimKey } from '../../src/dispatcher/email/dkim/dkim-key.js';
import { signMail } from '../../src/dispatcher/email/dkim/sign-mail.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';

const folder = createFolder();
afterAll(() => folder.remove());

interface Created {
  selector: string;
  name: string;
  value: string;
  strings: string[];
  private_key: string;
}

async function create(...args: string[]): Promise<Created> {
  const { code, stdout, stderr } = await cli(['dkim', 'create', 'acme.test', '--json', ...args], {});
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Created;
}

describe('carillon dkim create', () => {
  it.each(['rsa', 'ed25519'])(
    'makes a key of the type %s and the record that verifies its signatures',
    async (type) => {
      const { selector, name, value, strings, private_key: pem } = await create('--type', type);
      expect([selector, name]).toEqual([expect.stringMatching(/^[re]\d{8}$/), `${selector}._domainkey.acme.test`]);
      expect(value).toMatch(new RegExp(`^v=DKIM1; k=${type}; p=[A-Za-z0-9+/]+=*$`));
      expect(strings.join('')).toBe(value);
      expect(strings.filter((each) => Buffer.byteLength(each) > 255)).toEqual([]);
      const signer = { ...(readDkimKey(pem) as DkimKey), selector };
      const mail = await signMail('From: a@acme.test\r\n\r\nHi\r\n', [signer], 'acme.test', new Date());
      const resolver = async (asked: string) => (asked === name ? [strings] : []);
      const { results } = await dkimVerify(Buffer.from(mail as string), { resolver, minBitLength: 2048 });
      expect(results).toMatchObject([{ algo: `${type}-sha256`, status: { result: 'pass' } }]);
    },
  );

  it('prints the record for the file of a zone, and what to do next', async () => {
    const { stdout } = await cli(['dkim', 'create', 'acme.test', '--selector', 's1'], {});
    expect(stdout).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^]*?\n-----END PRIVATE KEY-----\n\nPublish this record/);
    expect(stdout).toMatch(
      /\ns1\._domainkey\.acme\.test\. 3600 IN TXT \(\n {2}"v=DKIM1; k=rsa; p=[^"]+"\n {2}"[^"]+"\n\)\n/,
    );
    expect(stdout).toContain('dkim_selector: s1');
  });

  it('writes the private key into a new file that others cannot read, and prints the record again', async () => {
    const file = join(folder.path, 'dkim.pem');
    const created = await create('--selector', 's1', '--out', file);
    expect(created).not.toHaveProperty('private_key');
    expect(readFileSync(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await cli(['dkim', 'create', 'acme.test', '--out', file], {});
    expect([again.code, again.stderr]).toEqual([1, `carillon: cannot write ${file}: it exists already\n`]);
    const record = await cli(['dkim', 'record', 'acme.test', file, '--json', '--selector', 's1'], {});
    expect(JSON.parse(record.stdout)).toEqual(created);
  });

  it('refuses a wrong domain, type, selector or key', async () => {
    const wrong = join(folder.path, 'wrong.pem');
    writeFileSync(wrong, 'x');
    const words = async (...args: string[]) => (await cli(['dkim', ...args], {})).stderr;
    expect(await words('create', 'a b')).toBe('carillon: "a b" is not a domain, such as acme.test\n');
    expect(await words('create', 'a.test', '--type', 'dsa')).toBe(
      'carillon: --type must be rsa or ed25519, not "dsa"\n',
    );
    expect(await words('create', 'a.test', '--selector', '_x')).toContain('--selector must be letters');
    expect(await words('record', 'a.test', wrong, '--selector', 'x')).toContain('the key must be one private key');
  });
});
