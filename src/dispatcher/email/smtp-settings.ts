import { hostname } from 'node:os';
import { CA_FIELD } from '../certificates.js';
import type { ConfigField } from '../dispatcher.js';
import { DKIM_FIELDS } from './dkim/dkim-settings.js';
import { domainOf, parseDomain } from './address.js';
import { MOST_MESSAGE_MB } from './message-size.js';
import { heloNameOf } from './helo-name.js';
import { SENDER_FIELDS, readSender, type SenderSettings } from './sender/sender-settings.js';
import { MAIL_SERVICES } from '../report/services.js';

const SECURITY = ['starttls', 'tls', 'opportunistic', 'none'] as const;
type Security = (typeof SECURITY)[number];

export interface SmtpSettings {
  host: string;
  port: number;
  security: Security;
  username: string;
  password: string;
  allowSelfSigned: boolean;
  /** Certificates of the authority that the server's certificate must be signed by; empty: the public authorities. */
  ca: string;
  /** The name in EHLO. */
  heloName: string;
}

interface EmailSettings extends SenderSettings {
  smtp: SmtpSettings;
  /** Equal for channels with the same server settings. */
  key: string;
  /** The service that reports what became of the mails; null: none. */
  service: (typeof MAIL_SERVICES)[string] | null;
  /** The domain of the envelope senders; null: it is the address in From. */
  bounceDomain: string | null;
}

/** Most receivers take no larger mail. */
export const MAX_MESSAGE_MB = 25;

const plain = { required: false, secret: false } as const;

export const EMAIL_FIELDS: readonly ConfigField[] = [
  { ...plain, key: 'host', label: 'SMTP host', kind: 'string', required: true, max: 253 },
  { ...plain, key: 'port', label: 'Port', kind: 'integer', min: 1, max: 65535, help: '587, or 465 with security tls' },
  {
    ...plain,
    key: 'security',
    label: 'Security',
    kind: 'choice',
    choices: SECURITY,
    help:
      'starttls: STARTTLS is required. tls: encrypted from the first byte. opportunistic: encrypted when the server ' +
      'offers it; required when a password is set. none: never encrypted. Unset: tls on port 465, else opportunistic',
  },
  { ...plain, key: 'username', label: 'User name', kind: 'string', max: 255 },
  {
    ...plain,
    key: 'password',
    label: 'Password',
    kind: 'string',
    secret: true,
    goesTo: ['host', 'port', 'security', 'allow_self_signed', 'ca'],
  },
  ...SENDER_FIELDS,
  {
    ...plain,
    key: 'helo_name',
    label: 'HELO name',
    kind: 'string',
    max: 253,
    help: 'mail.acme.test or [203.0.113.7]. Unset: the full name of this machine, or else the domain of From',
  },
  {
    ...plain,
    key: 'max_message_mb',
    label: 'Largest mail in MB',
    kind: 'integer',
    min: 1,
    max: MOST_MESSAGE_MB,
    help: `With its files, as they are sent: a third more than their size. Unset: ${MAX_MESSAGE_MB}`,
  },
  {
    ...plain,
    key: 'allow_self_signed',
    label: 'Allow a self-signed certificate',
    kind: 'boolean',
    help: 'Accepts any certificate without verifying it',
  },
  CA_FIELD,
  ...DKIM_FIELDS,
  {
    ...plain,
    key: 'report_service',
    label: 'Service that reports',
    kind: 'choice',
    choices: Object.keys(MAIL_SERVICES),
    help: 'The mail service behind the host, if it shall report what became of each mail to the URL of this channel',
  },
  {
    ...plain,
    key: 'report_key',
    label: 'Key of the reports',
    kind: 'string',
    secret: true,
    max: 500,
    help:
      'How reports are known to be genuine. ses: the ARN of the SNS topic. sendgrid: the verification key of the event webhook. ' +
      'postmark, mailjet: a password of yours, which is in the URL. mailgun: the webhook signing key. resend: the signing secret',
  },
  {
    ...plain,
    key: 'bounce_domain',
    label: 'Domain of bounces',
    kind: 'string',
    max: 189,
    problem: (value) => (parseDomain(value) === null ? 'must be a domain, such as bounces.acme.test' : null),
    help: 'bounces.acme.test, whose MX is this service. Each mail then has its own envelope sender, and mails that come back are known by it',
  },
];

/** Reads a channel's settings into the form that sending needs, or returns the problem. */
export function readSettings(config: Readonly<Record<string, unknown>>): EmailSettings | { problem: string } {
  const text = (key: string): string => String(config[key] ?? '');
  const sender = readSender(config);
  if ('problem' in sender) return sender;
  const heloName = text('helo_name') || heloNameOf(hostname(), domainOf(sender.from.address));
  if (!/^[A-Za-z0-9.:[\]-]*$/.test(heloName)) return { problem: 'the channel’s "helo_name" is not a host name' };
  const password = text('password');
  const username = text('username');
  if ((username === '') !== (password === '')) {
    return { problem: 'set both "username" and "password" of the channel, or neither' };
  }
  // NUL separates user name and password in the AUTH command.
  if (/\0/.test(username + password)) return { problem: 'the channel’s "username" or "password" contains a NUL' };
  const allowSelfSigned = config.allow_self_signed === true;
  const login = { username, password, allowSelfSigned, ca: text('ca'), heloName };
  const smtp = { host: text('host'), ...portAndSecurity(config), ...login };
  const reports = reportsOf(config.report_service, config.report_key);
  if (typeof reports === 'string') return { problem: reports };
  const bounceDomain = parseDomain(text('bounce_domain'));
  if (reports && bounceDomain !== null) {
    return { problem: 'leave out "bounce_domain" of the channel: mails come back to its "report_service"' };
  }
  return { smtp, key: JSON.stringify(smtp), ...sender, service: reports, bounceDomain };
}

/** The service of the settings, or what is wrong with them. A key that is still encrypted cannot be checked. */
function reportsOf(name: unknown, key: unknown): (typeof MAIL_SERVICES)[string] | null | string {
  if ((name === undefined) !== (key === undefined)) {
    return 'set both "report_service" and "report_key" of the channel, or neither';
  }
  const service = MAIL_SERVICES[String(name)] ?? null;
  const problem = typeof key === 'string' ? service?.problem(key) : null;
  return problem ? `report_key ${problem}` : service;
}

/** By convention port 465 is encrypted from the first byte; the other ports are not. */
function portAndSecurity(config: Readonly<Record<string, unknown>>): { port: number; security: Security } {
  const port = config.port === undefined ? undefined : Number(config.port);
  const security = SECURITY.find((each) => each === config.security) ?? (port === 465 ? 'tls' : 'opportunistic');
  return { port: port ?? (security === 'tls' ? 465 : 587), security };
}
