import { Resolver } from 'node:dns/promises';
import type { Resolved } from './resolved.js';

/** The addresses of a name, and for how long they may be kept. */
export interface FoundAddresses {
  addresses: Resolved[];
  ttlSeconds: number;
}

// Each name server gets two tries, of 1.5 and 3 seconds.
const TRIES = { timeout: 1500, tries: 2 };
// When one kind of address is known, the other is waited for only this long. Some name servers never answer for IPv6.
const OTHER_KIND_MS = 300;
// Nobody needs more, and each is tried in turn.
const MAX_ADDRESSES = 16;
// Whoever owns a name chooses its texts. A key of 4096 bits takes 800 characters.
const MAX_TEXTS = 10;
const MAX_TEXT_LENGTH = 4096;

const MISSING = ['ENOTFOUND', 'ENODATA'];
const SILENT = ['ETIMEOUT', 'EAI_AGAIN'];

/** Whether the name servers say that a name has no address. */
const isMissing = (error: unknown): boolean => MISSING.includes(codeOf(error));

/** The reason of a failed query in a few words. */
export function reasonOfQuery(error: unknown): string {
  if (isMissing(error)) return 'there is no such name';
  return SILENT.includes(codeOf(error)) ? 'no name server answered' : codeOf(error) || String(error);
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Asks name servers with c-ares, which needs no thread. */
export class NameServers {
  private readonly resolver = new Resolver(TRIES);

  /** The servers are those of the system unless they are given, as `address:port`. */
  constructor(servers?: readonly string[]) {
    if (servers !== undefined) this.resolver.setServers(servers);
  }

  /** Throws when there is no address. IPv4 comes first: a machine without IPv6 loses no time with it. */
  async addressesOf(name: string): Promise<FoundAddresses> {
    const found: FoundAddresses[] = [];
    const failures: unknown[] = [];
    await new Promise<void>((done) => {
      const kinds = [this.ask(name, 4), this.ask(name, 6)];
      const keep = (one: FoundAddresses): void => {
        found.push(one);
        setTimeout(done, OTHER_KIND_MS).unref();
      };
      const checkEnd = (): void => {
        if (found.length + failures.length === kinds.length) done();
      };
      for (const kind of kinds) void kind.then(keep, (error: unknown) => failures.push(error)).then(checkEnd);
    });
    if (found.length === 0) throw failures.find((error) => !isMissing(error)) ?? failures[0];
    const addresses = found.flatMap((one) => one.addresses).sort((a, b) => a.family - b.family);
    return {
      addresses: addresses.slice(0, MAX_ADDRESSES),
      ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)),
    };
  }

  /** The first TXT records of a name, each joined to one text and cut; none if there is no such name. */
  async textsOf(name: string): Promise<string[]> {
    try {
      return firstOf((await this.resolver.resolveTxt(name)).map((strings) => strings.join('')));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Ends the queries under way. */
  cancel(): void {
    this.resolver.cancel();
  }

  private async ask(name: string, family: 4 | 6): Promise<FoundAddresses> {
    const options = { ttl: true } as const;
    const records =
      family === 4 ? await this.resolver.resolve4(name, options) : await this.resolver.resolve6(name, options);
    return {
      addresses: records.map(({ address }) => ({ address, family })),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    };
  }
}

/** Records that start with a version come first: a domain may have dozens of others, which prove to services who owns it. */
function firstOf(texts: readonly string[]): string[] {
  const hasVersion = (text: string) => /^v\s*=/i.test(text);
  const sorted = [...texts.filter(hasVersion), ...texts.filter((text) => !hasVersion(text))];
  return sorted.slice(0, MAX_TEXTS).map((text) => text.slice(0, MAX_TEXT_LENGTH));
}
