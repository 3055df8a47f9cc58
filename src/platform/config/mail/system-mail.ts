/** The mail server over which the service itself sends mail, such as sign-in links; the settings of a channel of type `email`. */
export interface SystemMail {
  host: string;
  port: number;
  security: (typeof SECURITY)[number];
  username?: string;
  password?: string;
  from: string;
}

const SECURITY = ['starttls', 'tls', 'opportunistic', 'none'] as const;
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

const FORM = 'must be a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com';

/** Reads `SYSTEM_MAIL_URL`, or says what is wrong with it. The problem leaves out the value: it contains a password. */
export function readSystemMail(url: string, from: string): SystemMail | { problem: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !isScheme(parsed.protocol) || parsed.hostname === '') return { problem: FORM };
  const { protocol, hostname, port, username, password, pathname, hash, searchParams } = parsed;
  const unknown = [...searchParams.keys()].find((name) => name !== 'security');
  if (unknown !== undefined || pathname.replace('/', '') !== '' || hash !== '')
    return { problem: `${FORM}; the only parameter is security` };
  const security = searchParams.get('security') ?? (protocol === 'smtps:' ? 'tls' : 'starttls');
  if (!isSecurity(security)) return { problem: `has an unknown security: use one of ${SECURITY.join(', ')}` };
  return {
    host: hostname,
    port: port === '' ? PORTS[protocol] : Number(port),
    security,
    ...(username && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
    from,
  };
}

const isScheme = (protocol: string): protocol is keyof typeof PORTS => Object.hasOwn(PORTS, protocol);
const isSecurity = (text: string): text is SystemMail['security'] => (SECURITY as readonly string[]).includes(text);
