import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { readDkimKey } from '../../src/dispatcher/email/dkim/dkim-key.js';
import type { DkimKey } from '../../src/dispatcher/email/dkim/dkim-key.js';
import { dkimRecord } from '../../src/dispatcher/email/dkim/dkim-record.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { DnsSink } from '../support/sinks/dns-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const PEM = { type: 'pkcs8', format: 'pem' } as const;
const rsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }).privateKey.export(PEM) as string;
const recordOf = (pem: string) => dkimRecord(readDkimKey(pem) as DkimKey);
const [OLD, NEW] = [rsa(), rsa()];

/** What is published. */
const zone = new Map<string, string[]>();
let dns: DnsSink;
let smtp: SmtpSink;
let app: TestApp;
let key: string;

beforeAll(async () => {
  dns = await DnsSink.start(
    () => undefined,
    (name) => zone.get(name),
  );
  smtp = await SmtpSink.start();
  app = await TestApp.start({ NAME_SERVERS: dns.server });
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});
afterAll(async () => {
  await app.stop();
  await smtp.close();
  dns.close();
});
beforeEach(() => {
  zone.clear();
  zone.set('acme.test', ['v=spf1 a ~all']);
  zone.set('_dmarc.acme.test', ['v=DMARC1; p=none']);
  zone.set('old._domainkey.acme.test', [recordOf(OLD)]);
});

const CHANNELS = '/api/o/acme/c/';
const config = (more: object) => ({ host: '127.0.0.1', port: smtp.port, from: 'a@acme.test', ...more });

async function create(slug: string, more: object) {
  const body = { slug, name: slug, type: 'email', config: config(more) };
  return app.as(key).post(CHANNELS).send(body);
}

describe('a channel that signs', () => {
  it('is refused with a wrong key, and never shows a good one', async () => {
    const refused = await create('weak', { dkim_selector: 'old', dkim_private_key: rsa(1024) });
    expect([refused.status, (refused.body as { errors: object }).errors]).toEqual([
      400,
      { 'config.dkim_private_key': ['must have 2048 to 4096 bits, not 1024'] },
    ]);
    const top = await create('weak', { dkim_selector: 'old', dkim_private_key: OLD, dkim_domain: 'test' });
    expect([top.status, (top.body as { errors: object }).errors]).toEqual([
      400,
      { 'config.dkim_domain': ['must be a domain, such as acme.test'] },
    ]);
    const alone = await create('weak', { dkim_private_key: OLD });
    expect([alone.status, JSON.stringify(alone.body)]).toEqual([400, expect.stringContaining('set both')]);
    const created = await create('secret', { dkim_selector: 'old', dkim_private_key: OLD });
    expect([created.status, created.text.includes('PRIVATE KEY')]).toEqual([201, false]);
    const read = await app.as(key).get(`${CHANNELS}secret/`);
    expect(read.text).not.toContain('PRIVATE KEY');
  });

  it('changes its key without a mail that is not signed or cannot be verified', async () => {
    await create('rotated', { dkim_selector: 'old', dkim_private_key: OLD });
    const signed = async () => {
      smtp.mails.length = 0;
      const { body } = await app.as(key).post(`${CHANNELS}rotated/test/`).send({ to: 'ann@acme.test' });
      expect(body).toMatchObject({ outcome: 'sent' });
      const resolver = async (name: string) => zone.get(name)?.map((record) => [record]) ?? [];
      const { results } = await dkimVerify(smtp.mails[0]!.raw, { resolver });
      return results.map(({ selector, status }) => `${selector} ${status.result}`);
    };
    const change = async (more: object) => {
      const changed = await app
        .as(key)
        .patch(`${CHANNELS}rotated/`)
        .send({ config: config(more) });
      expect(changed.status).toBe(200);
    };
    const old = { dkim_selector: 'old', dkim_private_key: '********' };
    expect(await signed()).toEqual(['old pass']);
    zone.set('new._domainkey.acme.test', [recordOf(NEW)]);
    await change({ ...old, dkim_selector_2: 'new', dkim_private_key_2: NEW });
    expect(await signed()).toEqual(['old pass', 'new pass']);
    await change({ dkim_selector_2: 'new', dkim_private_key_2: '********' });
    expect(await signed()).toEqual(['new pass']);
  });

  it('is compared with DNS, over HTTP and by doctor', async () => {
    await app.pool.query(`update channels set enabled = false where type = 'email'`);
    await create('checked', { dkim_selector: 'old', dkim_private_key: OLD });
    const read = async () => (await app.as(key).get(`${CHANNELS}checked/domains/`)).body as { findings: object[] };
    const env = { DATABASE_URL: app.databaseUrl, NAME_SERVERS: dns.server };
    expect(await read()).toMatchObject({ ok: true });
    expect((await cli(['doctor'], env)).stdout).toMatch(
      /ok +mail domains +SPF, DKIM and DMARC fit 1 of 1 channel that signs mails\n/,
    );

    zone.set('old._domainkey.acme.test', [recordOf(NEW)]);
    zone.delete('_dmarc.acme.test');
    const { findings, ...rest } = await read();
    expect(rest).toEqual({ ok: false });
    expect(findings).toMatchObject([
      { check: 'spf', state: 'ok' },
      { check: 'dkim', state: 'wrong', record: 'old._domainkey.acme.test', publish: recordOf(OLD) },
      { check: 'dmarc', state: 'missing', publish: 'v=DMARC1; p=none' },
      { check: 'alignment', state: 'ok' },
    ]);
    const { code, stdout } = await cli(['doctor'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +mail domains +SPF, DKIM and DMARC fit 0 of 1 channel that signs mails;/);
    expect(stdout).toContain(
      '; acme/checked dkim wrong (old._domainkey.acme.test), acme/checked dmarc missing (_dmarc.acme.test)\n',
    );
  });
});

it('a channel whose settings are wrong is not checked', async () => {
  await create('broken', { dkim_selector: 'old', dkim_private_key: OLD });
  await app.pool.query(`update channels set config = config - 'dkim_private_key' where slug = 'broken'`);
  const { status, body } = await app.as(key).get(`${CHANNELS}broken/domains/`);
  expect([status, (body as { detail: string }).detail]).toEqual([409, expect.stringContaining('set both')]);
});

it('an organization has two checks under way, and a third is refused', async () => {
  await create('slow', { dkim_selector: 'old', dkim_private_key: OLD });
  dns.hold();
  const check = () => app.as(key).get(`${CHANNELS}slow/domains/`);
  // Each answers at its own time: one is refused while the others wait for the name server.
  const checks = [check(), check(), check()].map(async (request) => (await request).status);
  expect(await Promise.any(checks)).toBe(429);
  dns.release();
  expect((await Promise.all(checks)).sort((a, b) => a - b)).toEqual([200, 200, 429]);
});

it('a channel that is not of the type email has no findings, and strangers see no channel', async () => {
  await app.as(key).post(CHANNELS).send({ slug: 'lines', name: 'Lines', type: 'log' });
  expect((await app.as(key).get(`${CHANNELS}lines/domains/`)).body).toEqual({ ok: true, findings: [] });
  const globex = await app.key({ org: 'globex' });
  expect((await app.as(globex).get(`${CHANNELS}lines/domains/`)).status).toBe(404);
});

it('NAME_SERVERS must be addresses', async () => {
  const { code, stdout } = await cli(['doctor'], { DATABASE_URL: app.databaseUrl, NAME_SERVERS: '10.0.0.2,dns.test' });
  expect([code, stdout]).toEqual([1, expect.stringContaining('and "dns.test" is none')]);
});
