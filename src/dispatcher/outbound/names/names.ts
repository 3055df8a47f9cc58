import { readFileSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { NameServers, reasonOfQuery, type FoundAddresses } from './name-servers.js';
import type { Resolved } from './resolved.js';

interface NameLimits {
  /** How long a look-up may take. */
  lookUpMs: number;
  /** How long addresses are kept at most, and how long a failure is kept. */
  keepMs: number;
  keepFailureMs: number;
  /** Look-ups under way for one organization, and how long another one waits for a slot. */
  perOrganization: number;
  waitMs: number;
}

export const NAME_LIMITS: NameLimits = {
  lookUpMs: 5000,
  keepMs: 30_000,
  keepFailureMs: 5000,
  perOrganization: 20,
  waitMs: 5000,
};

export interface NamesOptions {
  /** Name servers as `address:port`; those of the system when not given. */
  servers?: readonly string[];
  hostsPath?: string;
  /** The system's own look-up. */
  system?: (name: string) => Promise<Resolved[]>;
  limits?: NameLimits;
}

type Kept = { addresses: Resolved[] } | { reason: string };

const HOSTS_PATH = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

const LOOPBACK: Resolved[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Of the four threads that Node has for look-ups, files and cryptography, the system's look-ups leave two to the others. */
const THREADS = { perOrganization: 2 };
const ALL = 0;

/** Look-ups of texts under way for one organization. */
const TEXTS_PER_ORGANIZATION = 8;

/** The system says no TTL. */
const SYSTEM_TTL_SECONDS = 30;

/**
 * Looks up the addresses of names. Customers choose the names, and their name servers may never answer. The system's getaddrinfo would block
 * one of four threads for up to ten seconds each time, so four such names would stop all look-ups. Therefore names are asked for with c-ares,
 * which needs no thread. The system itself is asked only for names that its own files or its own name servers answer: those in the hosts
 * file, and those without a dot, such as the service `relay` in a Kubernetes namespace.
 */
export class Names {
  private readonly limits: NameLimits;
  private readonly kept = new LRUCache<string, Kept>({ max: 2000 });
  private readonly underWay = new Map<string, Promise<Kept>>();
  private readonly asking = new Set<NameServers>();
  private readonly perOrganization: TenantLimiter<string>;
  /** Apart from the look-ups of addresses, so that sending need not wait for a check of domains. */
  private readonly forTexts: TenantLimiter<string>;
  private readonly threads = new TenantLimiter<typeof ALL>(THREADS);

  constructor(private readonly options: NamesOptions = {}) {
    this.limits = options.limits ?? NAME_LIMITS;
    const { perOrganization, waitMs } = this.limits;
    this.perOrganization = new TenantLimiter({ perOrganization, waitMs });
    this.forTexts = new TenantLimiter({ perOrganization: TEXTS_PER_ORGANIZATION, waitMs });
  }

  /** Every address of a name. Without an organization, the look-up is not limited. */
  async resolve(name: string, organization?: string): Promise<Resolved[]> {
    // RFC 6761: these names always mean this machine.
    if (/(^|\.)localhost\.?$/i.test(name)) return LOOPBACK;
    const found = this.kept.get(name) ?? (await (this.underWay.get(name) ?? this.lookUp(name, organization)));
    if ('reason' in found) throw new Error(found.reason);
    return found.addresses;
  }

  /** The TXT records of a name. They are not kept: somebody who has just published one looks again. */
  async texts(name: string, organization: string): Promise<string[]> {
    const reason = `this organization has ${TEXTS_PER_ORGANIZATION} look-ups under way`;
    const servers = new NameServers(this.options.servers);
    this.asking.add(servers);
    const look = () => within(this.limits.lookUpMs, servers.textsOf(name)).catch(failed);
    const found = await this.forTexts
      .run(organization, look)
      .catch(() => ({ reason }))
      .finally(() => {
        this.asking.delete(servers);
        // A query that is late would go on, and keep a command from ending.
        servers.cancel();
      });
    if ('reason' in found) throw new Error(found.reason);
    return found;
  }

  /** Ends the look-ups under way. */
  close(): void {
    for (const servers of this.asking) servers.cancel();
  }

  private lookUp(name: string, organization: string | undefined): Promise<Kept> {
    if (organization === undefined) return this.share(name);
    const reason = `this organization has ${this.limits.perOrganization} look-ups under way`;
    // A look-up itself does not throw.
    return this.perOrganization.run(organization, () => this.share(name)).catch(() => ({ reason }));
  }

  /**
   * Looks a name up once for all that need it at the same time. A look-up is shared only from its start: one that waits for a
   * slot of its organization must not delay other organizations.
   */
  private share(name: string): Promise<Kept> {
    const known = this.kept.get(name);
    if (known !== undefined) return Promise.resolve(known);
    const shared = this.underWay.get(name) ?? this.ask(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, shared);
    return shared;
  }

  private async ask(name: string): Promise<Kept> {
    const { lookUpMs, keepMs, keepFailureMs } = this.limits;
    try {
      const asked = this.isOfSystem(name) ? this.askSystem(name) : this.askServers(name);
      const { addresses, ttlSeconds } = await within(lookUpMs, asked);
      return this.keep(name, { addresses }, Math.min(Math.max(ttlSeconds * 1000, 1000), keepMs));
    } catch (error) {
      return this.keep(name, { reason: reasonOfQuery(error) }, keepFailureMs);
    }
  }

  private keep(name: string, found: Kept, ttl: number): Kept {
    this.kept.set(name, found, { ttl });
    return found;
  }

  private isOfSystem(name: string): boolean {
    if (!name.includes('.')) return true;
    try {
      const hosts = readFileSync(this.options.hostsPath ?? HOSTS_PATH, 'utf8').replace(/#.*/g, '');
      return hosts.toLowerCase().split(/\s+/).includes(name.toLowerCase().replace(/\.$/, ''));
    } catch {
      return false;
    }
  }

  private async askSystem(name: string): Promise<FoundAddresses> {
    const system = this.options.system ?? systemAddresses;
    return { addresses: await this.threads.run(ALL, () => system(name)), ttlSeconds: SYSTEM_TTL_SECONDS };
  }

  /** With new `NameServers` each time, which read the name servers of the system again: they may have changed. */
  private async askServers(name: string): Promise<FoundAddresses> {
    const servers = new NameServers(this.options.servers);
    this.asking.add(servers);
    return servers.addressesOf(name.replace(/\.$/, '')).finally(() => this.asking.delete(servers));
  }
}

const failed = (error: unknown) => ({ reason: reasonOfQuery(error) });

/** IPv4 comes first, as from `NameServers`. */
async function systemAddresses(name: string): Promise<Resolved[]> {
  return (await lookup(name, { all: true, order: 'ipv4first' })) as Resolved[];
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEOUT' })), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
