const ADVICE =
  'give one address that always leads to the primary, such as a service name, a virtual address or a proxy: docs/high-availability.md';

// The part between `//` and the next `/`, `?` or `#`, without user and password.
const hostsOf = (url: string) => /^[^:]*:\/\/([^/?#]*)/.exec(url)?.[1]?.replace(/^.*@/, '') ?? '';

const ONLY_LIBPQ = ['target_session_attrs', 'load_balance_hosts'];

/** What a database URL has that libpq knows and our driver ignores silently; null: nothing. The answer never repeats the URL: it holds a password. */
export function severalHosts(url: string): string | null {
  // Not `new URL`: it refuses several ports, and the message would not say why.
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  const hosts = [hostsOf(url), ...['host', 'hostaddr', 'port'].flatMap((name) => query.getAll(name))];
  if (hosts.some((host) => /,|%2c/i.test(host)))
    return `DATABASE_URL must name one host, not several: the driver would use none but the first. Instead, ${ADVICE}`;
  const option = ONLY_LIBPQ.find((name) => query.has(name));
  return option ? `DATABASE_URL must not contain ${option}: the driver ignores it. Instead, ${ADVICE}` : null;
}
