export const RESOLV_CONF_PATH = '/etc/resolv.conf';

export interface SearchList {
  /** Domains that complete a short name. */
  domains: readonly string[];
  /** A name with fewer dots may be short. */
  ndots: number;
}

const MAX_DOMAINS = 8;

/** Parses the search list of `resolv.conf`. c-ares, which we ask for addresses, reads only the name servers from it. */
export function parseResolvConf(text: string): SearchList {
  let domains: string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search' || keyword === 'domain') domains = words;
    if (keyword === 'options') ndots = Number(/^ndots:(\d{1,2})$/.exec(words.findLast(isNdots) ?? '')?.[1] ?? ndots);
  }
  const named = domains.map((domain) => domain.replace(/^\.|\.$/g, '')).filter((domain) => domain !== '');
  return { domains: named.slice(0, MAX_DOMAINS), ndots };
}

const isNdots = (word: string): boolean => word.startsWith('ndots:');

/**
 * The full names to ask for, in order. A name with a dot is asked for as it is first: in Kubernetes (`ndots:5`) the system's own
 * order would ask for `smtp.example.com.default.svc.cluster.local` and three more before `smtp.example.com`.
 */
export function fullNames(name: string, { domains, ndots }: SearchList): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const dots = name.split('.').length - 1;
  const completed = domains.map((domain) => `${name}.${domain}`);
  if (dots > 0 && dots >= ndots) return [name];
  return dots === 0 && ndots > 0 ? [...completed, name] : [name, ...completed];
}
