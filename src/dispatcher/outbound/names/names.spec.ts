import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsSink, type Zone } from '../../../../test/support/sinks/dns-sink.js';
import { NAME_LIMITS, Names, type NamesOptions } from './names.js';

const zone: Zone = (name) => {
  if (name.endsWith('silent.test')) return 'silence';
  if (name === 'mail.acme.test') return ['192.0.2.7', '192.0.2.8'];
  if (name === 'relay.default.svc.cluster.local') return ['10.0.0.5'];
  return name === 'smtp.example.test' ? ['192.0.2.9'] : undefined;
};

let dns: DnsSink;
let folder: string;
let names: Names;

beforeEach(async () => {
  dns = await DnsSink.start(zone);
  folder = mkdtempSync(join(tmpdir(), 'names-'));
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  writeFileSync(
    join(folder, 'resolv.conf'),
    'nameserver 192.0.2.1\nsearch default.svc.cluster.local\noptions ndots:5\n',
  );
  use({});
});
afterEach(() => {
  names.close();
  dns.close();
  rmSync(folder, { recursive: true });
});

function use(options: NamesOptions): void {
  const files = { hostsPath: join(folder, 'hosts'), resolvConfPath: join(folder, 'resolv.conf') };
  names = new Names({ servers: [dns.server], ...files, ...options });
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

  it('in the hosts file needs no name server, and a changed file counts at once', async () => {
    expect(await addressesOf('localhost')).toEqual(['127.0.0.1']);
    await expect(addressesOf('db')).rejects.toThrow('there is no such name');
    appendFileSync(join(folder, 'hosts'), '172.18.0.3\tdb db.local # compose\n');
    expect([await addressesOf('db'), await addressesOf('DB.local')]).toEqual([['172.18.0.3'], ['172.18.0.3']]);
  });

  it('localhost is this machine, even when the hosts file does not say so', async () => {
    writeFileSync(join(folder, 'hosts'), '');
    expect(await addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await addressesOf('app.localhost.')).toEqual(['127.0.0.1', '::1']);
    expect(dns.asked).toEqual([]);
  });

  it('that is short is completed by the search list', async () => {
    expect(await addressesOf('relay')).toEqual(['10.0.0.5']);
    expect(dns.timesAsked('relay')).toBe(0);
    expect(await addressesOf('smtp.example.test')).toEqual(['192.0.2.9']);
    expect(dns.timesAsked('smtp.example.test.default.svc.cluster.local')).toBe(0);
  });

  it('is not completed when it ends with a dot', async () => {
    await expect(addressesOf('relay.')).rejects.toThrow('there is no such name');
    expect(dns.timesAsked('relay')).toBe(1);
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

  it('wait for a slot of their organization', async () => {
    use({ limits: { ...NAME_LIMITS, perOrganization: 1 } });
    const known = ['mail.acme.test', 'smtp.example.test', 'relay'];
    const found = await Promise.all(known.map((name) => addressesOf(name, 'acme')));
    expect(found).toEqual([['192.0.2.7', '192.0.2.8'], ['192.0.2.9'], ['10.0.0.5']]);
  });
});
