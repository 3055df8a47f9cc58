import { isIP } from 'node:net';
import type { Resolved } from './resolved.js';

export const HOSTS_PATH =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

/** Parses the hosts file: the addresses of each name. */
export function parseHosts(text: string): ReadonlyMap<string, Resolved[]> {
  const hosts = new Map<string, Resolved[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family: family as 4 | 6 }]);
    }
  }
  return hosts;
}
