import { LRUCache } from 'lru-cache';
import { HOSTS_PATH, parseHosts } from './hosts-file.js';
import { isMissing, NameServers, reasonOfQuery, type FoundAddresses } from './name-servers.js';
import type { Resolved } from './resolved.js';
import { fullNames, parseResolvConf, RESOLV_CONF_PATH } from './search-list.js';
import { Slots } from './slots.js';
import { WatchedFile } from './watched-file.js';

export interface NameLimits {
  /** How long a look-up may take, with all full names of a short name. */
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
  resolvConfPath?: string;
  limits?: NameLimits;
}

type Kept = { addresses: Resolved[] } | { reason: string };

const LOOPBACK: Resolved[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Looks up the addresses of names: in the hosts file, then with the system's name servers. */
export class Names {
  private readonly limits: NameLimits;
  private readonly hosts: WatchedFile<ReturnType<typeof parseHosts>>;
  private readonly system: WatchedFile<{ search: ReturnType<typeof parseResolvConf>; servers: NameServers }>;
  private readonly kept = new LRUCache<string, Kept>({ max: 2000 });
  private readonly underWay = new Map<string, Promise<Kept>>();
  private readonly slots: Slots;

  constructor(options: NamesOptions = {}) {
    this.limits = options.limits ?? NAME_LIMITS;
    this.slots = new Slots(this.limits.perOrganization, this.limits.waitMs);
    this.hosts = new WatchedFile(options.hostsPath ?? HOSTS_PATH, parseHosts);
    // When the file changes, its name servers are read again too.
    this.system = new WatchedFile(options.resolvConfPath ?? RESOLV_CONF_PATH, (text) => ({
      search: parseResolvConf(text),
      servers: new NameServers(options.servers),
    }));
  }

  /** Every address of a name. Without an organization, the look-up is not limited. */
  async resolve(name: string, organization?: string): Promise<Resolved[]> {
    const local = this.localAddresses(name.toLowerCase().replace(/\.$/, ''));
    if (local !== undefined) return local;
    const found = this.kept.get(name) ?? (await (this.underWay.get(name) ?? this.lookUp(name, organization)));
    if ('reason' in found) throw new Error(found.reason);
    return found.addresses;
  }

  /** Ends the look-ups under way. */
  close(): void {
    this.system.read().servers.cancel();
  }

  private localAddresses(name: string): Resolved[] | undefined {
    const inHosts = this.hosts.read().get(name);
    if (inHosts !== undefined) return inHosts;
    // RFC 6761: these names always mean this machine, and no name server is asked.
    return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : undefined;
  }

  private async lookUp(name: string, organization: string | undefined): Promise<Kept> {
    if (organization === undefined) return this.share(name);
    const release = await this.slots.acquire(organization);
    if (release === null) return { reason: `this organization has ${this.limits.perOrganization} look-ups under way` };
    return this.share(name).finally(release);
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
      const { addresses, ttlSeconds } = await within(lookUpMs, this.firstFound(name));
      return this.keep(name, { addresses }, Math.min(Math.max(ttlSeconds * 1000, 1000), keepMs));
    } catch (error) {
      return this.keep(name, { reason: reasonOfQuery(error) }, keepFailureMs);
    }
  }

  private keep(name: string, found: Kept, ttl: number): Kept {
    this.kept.set(name, found, { ttl });
    return found;
  }

  private async firstFound(name: string): Promise<FoundAddresses> {
    const { search, servers } = this.system.read();
    const failures: unknown[] = [];
    for (const full of fullNames(name, search)) {
      try {
        return await servers.addressesOf(full);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures.find((error) => !isMissing(error)) ?? failures[0];
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEOUT' })), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
