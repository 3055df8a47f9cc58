import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsSink, type Zone } from '../../../../test/support/sinks/dns-sink.js';
import { NAME_LIMITS, Names, type NamesOptions } from './names.js';
import type { Resolved } from './resolved.js';

const zone: Zone = (name) => {
  if (name.endsWith('silent.test')) return 'silence';
  if (name === 'mail.acme.test') return ['192.0.2.7', '192.0.2.8'];
  return name === 'smtp.example.test' ? ['192.0.2.9'] : undefined;
};

let dns: DnsSink;
let folder: string;
let names: Names;
/** The names that the system was asked for. */
let askedSystem: string[];

beforeEach(async () => {
  dns = await DnsSink.start(zone);
  folder = mkdtempSync(join(tmpdir(), 'names-'));
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  askedSystem = [];
  use({});
});
afterEach(() => {
  names.close();
  dns.close();
  rmSync(folder, { recursive: true });
});

function use(options: NamesOptions): void {
  names = new Names({ servers: [dns.server], hostsPath: join(folder, 'hosts'), system, ...options });
}

async function system(name: string): Promise<Resolved[]> {
  askedSystem.push(name);
  if (['relay', 'db.local'].includes(name)) return [{ address: '10.0.0.5', family: 4 }];
  throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
}

const addressesOf = async (name: string, organization?: string): Promise<string[]> =>
  (await names.resolve(name, organization)).map(({ address }) => address);

describe('a name', () => {
  it('has the addresses that the name server says', async () => {
    expect(await addressesOf('mail.acme.test')).toEqual(['192.0.2.7', '192.0.2.8']);
  });

  it('that the name server does not know fails with the reason', async () => {
    await expect(addressesOf('gone.test')).rejects.toThrow('there is no such name');
  });

  it('that no name server answers for fails with the reason', async () => {
    use({ limits: { ...NAME_LIMITS, lookUpMs: 50 } });
    await expect(addressesOf('a.silent.test')).rejects.toThrow('no name server answered');
  });

  it('that the hosts file has is looked up by the system, and not by a name server', async () => {
    await expect(addressesOf('db.local')).rejects.toThrow('there is no such name');
    use({});
    appendFileSync(join(folder, 'hosts'), '172.18.0.3\tdb DB.local # compose.test\n');
    expect(await addressesOf('db.local')).toEqual(['10.0.0.5']);
    expect([askedSystem, dns.timesAsked('db.local')]).toEqual([['db.local'], 1]);
    await expect(addressesOf('compose.test')).rejects.toThrow('there is no such name');
    expect(askedSystem).toEqual(['db.local']);
  });

  it('localhost is this machine, without a look-up', async () => {
    expect(await addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await addressesOf('app.localhost.')).toEqual(['127.0.0.1', '::1']);
    expect([dns.asked, askedSystem]).toEqual([[], []]);
  });

  it('without a dot is looked up by the system, which completes it', async () => {
    expect(await addressesOf('relay')).toEqual(['10.0.0.5']);
    await expect(addressesOf('nothing')).rejects.toThrow('there is no such name');
    expect([dns.asked, askedSystem]).toEqual([[], ['relay', 'nothing']]);
  });

  it('without a dot is known to the real system as it is here', async () => {
    use({ system: undefined });
    await expect(addressesOf('no-such-name-on-any-machine')).rejects.toThrow(/there is no such name|no name server/);
  });

  it('is not completed when it has a dot, or ends with one', async () => {
    expect(await addressesOf('smtp.example.test')).toEqual(['192.0.2.9']);
    await expect(addressesOf('relay.')).rejects.toThrow('there is no such name');
    expect([dns.timesAsked('relay'), askedSystem]).toEqual([1, []]);
  });
});

describe('look-ups', () => {
  it('are kept for a while, failures too', async () => {
    for (let n = 0; n < 3; n += 1) {
      await addressesOf('mail.acme.test');
      await addressesOf('gone.test').catch(() => {});
    }
    expect([dns.timesAsked('mail.acme.test'), dns.timesAsked('gone.test')]).toEqual([1, 1]);
  });

  it('of one name at the same time are one', async () => {
    dns.hold();
    const all = Array.from({ length: 30 }, (_, n) => addressesOf('mail.acme.test', `org${n % 3}`));
    while (dns.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    dns.release();
    expect(new Set((await Promise.all(all)).flat())).toEqual(new Set(['192.0.2.7', '192.0.2.8']));
    expect(dns.timesAsked('mail.acme.test')).toBe(1);
  });

  it('of one organization that get no answer hold up neither other organizations nor the process', async () => {
    use({ limits: { ...NAME_LIMITS, lookUpMs: 2000, waitMs: 100 } });
    const silent = Array.from({ length: 50 }, (_, n) => addressesOf(`n${n}.silent.test`, 'evil'));
    const reasons = Promise.allSettled(silent).then((all) => all.map((each) => (each as PromiseRejectedResult).reason));
    let hasEnded = false;
    void reasons.then(() => (hasEnded = true));
    expect(await addressesOf('mail.acme.test', 'good')).toEqual(['192.0.2.7', '192.0.2.8']);
    expect(hasEnded).toBe(false);
    const counts = new Map<string, number>();
    for (const { message } of await reasons) counts.set(message, (counts.get(message) ?? 0) + 1);
    expect([...counts]).toEqual([
      ['no name server answered', 20],
      ['this organization has 20 look-ups under way', 30],
    ]);
    expect(new Set(dns.asked.filter((name) => name.endsWith('silent.test'))).size).toBe(20);
  });

  it('of the system take two threads at most', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    use({
      system: async () => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return [{ address: '10.0.0.5', family: 4 }];
      },
    });
    const all = Promise.all(Array.from({ length: 5 }, (_, n) => addressesOf(`n${n}`)));
    for (let ended = 0; ended < 5; ended += 1) {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, waiting.length);
      waiting.shift()!();
    }
    await all;
    expect(most).toBe(2);
  });

  it('wait for a slot of their organization', async () => {
    use({ limits: { ...NAME_LIMITS, perOrganization: 1 } });
    const known = ['mail.acme.test', 'smtp.example.test', 'relay'];
    const found = await Promise.all(known.map((name) => addressesOf(name, 'acme')));
    expect(found).toEqual([['192.0.2.7', '192.0.2.8'], ['192.0.2.9'], ['10.0.0.5']]);
  });
});

describe('the texts of a name', () => {
  it('are the first ten, each cut, and those with a version are among them', async () => {
    dns.close();
    const texts = [...Array.from({ length: 12 }, (_, i) => `proof=${i}`), `v=spf1 ${'a '.repeat(3000)}`];
    dns = await DnsSink.start(zone, () => texts);
    use({});
    const found = await names.texts('acme.test', 'acme');
    expect([found.length, found[0]!.slice(0, 6), found[0]!.length]).toEqual([10, 'v=spf1', 4096]);
  });

  it('do not take the slots of sending', async () => {
    dns.close();
    dns = await DnsSink.start(zone, () => 'silence');
    use({ limits: { ...NAME_LIMITS, perOrganization: 1, waitMs: 0 } });
    const late = names.texts('acme.test', 'acme').catch((error: Error) => error.message);
    expect(await addressesOf('mail.acme.test', 'acme')).toEqual(['192.0.2.7', '192.0.2.8']);
    names.close();
    await late;
  });
});
