const NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;

const BY_PROVIDERS = 'cannot be set: mail servers write it';
const BY_US = 'cannot be set: every mail has its own';
const LIST = 'cannot be set: mail of an event with a category has it';
const RECIPIENTS = 'cannot be set: it can change who gets the mail';

/** Headers that templates cannot set, and why. Names in lower case; a name that ends with a hyphen means all that start with it. */
const RESERVED: Readonly<Record<string, string>> = {
  from: 'cannot be set: use the field from',
  sender: 'cannot be set: use the field from',
  'reply-to': 'cannot be set: use the field reply_to',
  subject: 'cannot be set: use the field subject',
  to: RECIPIENTS,
  cc: RECIPIENTS,
  bcc: RECIPIENTS,
  'apparently-to': RECIPIENTS,
  'resent-': RECIPIENTS,
  // Providers read recipients from these.
  'x-smtpapi': RECIPIENTS,
  'x-msys-api': RECIPIENTS,
  'x-mc-bccaddress': RECIPIENTS,
  'x-mailgun-recipient-variables': RECIPIENTS,
  date: BY_US,
  'message-id': BY_US,
  'auto-submitted': BY_US,
  'mime-version': BY_US,
  'content-': 'cannot be set: use the fields text, html and markdown',
  'list-unsubscribe': LIST,
  'list-unsubscribe-post': LIST,
  'list-id': LIST,
  'return-path': BY_PROVIDERS,
  'errors-to': BY_PROVIDERS,
  'delivered-to': BY_PROVIDERS,
  received: BY_PROVIDERS,
  'received-': BY_PROVIDERS,
  'authentication-results': BY_PROVIDERS,
  'dkim-': BY_PROVIDERS,
  'domainkey-': BY_PROVIDERS,
  'arc-': BY_PROVIDERS,
};

/** Why a template cannot set this header; null: it can. */
export function problemWithHeaderName(name: string): string | null {
  if (!NAME.test(name)) return 'is not a header name: use letters, digits and hyphens, at most 76, and a letter first';
  const lower = name.toLowerCase();
  const key = Object.keys(RESERVED).find((each) => (each.endsWith('-') ? lower.startsWith(each) : lower === each));
  return key === undefined ? null : RESERVED[key]!;
}
