// The names of the tenant that every client starts with (play/tenant.mjs). They are those of the examples in the contract. Bodies and
// paths take most of their names from here, so that requests meet what exists, and each other.
export const SLUGS = ['a', 'b', 'new', 'shop', 'web', 'order-paid', 'mail', 'sms'];
export const USERS = ['ann@acme.test', 'bob@acme.test', 'Cy@acme.test', 'new@acme.test'];
export const LISTS = ['Staff', 'Others', 'staff'];
export const CHANNELS = ['mail', 'sms', 'a', 'none'];
export const TYPES = ['webhook', 'inbox', 'email', 'nonsense'];

export const BASE = {
  ...{ prj: 'shop', app: 'web', evt: 'order-paid', channel: 'mail' },
  ...{ username: 'ann@acme.test', email: 'ann@acme.test' },
};

/** Names that no path should trip over. An empty one is left out: it would be the path of another operation. */
export const HOSTILE_NAMES = [
  ...['.', '..', '%', '%2e%2e', '%00', '%ff', '%2F', '%E0%A4%A', 'null', 'undefined', '__proto__', 'constructor'],
  ...['0', '-1', '1.5', '1e3', '0x10', '2147483648', '9007199254740993', '99999999999999999999', '1%20', 'NaN'],
  ...['x'.repeat(300), 'x'.repeat(4000), '%F0%9F%94%94', 'A', 'shop;a=b', "'--", '*', '{org}', ':org', 'a%0d%0ab'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21',
    '019F4C7A51D27B3E9A543A5F0C7D1E21',
  ],
];

/** Values that nearly fit, for any field. */
export const HOSTILE_VALUES = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 31, 2 ** 53, 2 ** 63, '', ' ', '\t\n', [], {}, [[]], [null], {}],
  ...['\u0000', 'a\u0000b', '\ud800', '\u202e', '\ufeff', '🔔', 'x'.repeat(256), 'x'.repeat(1001), 'x'.repeat(40_000)],
  ...['2016-12-31T23:59:60Z', '2026-01-01T24:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01', '0000-01-01T00:00:00Z'],
  ...['9999-12-31T23:59:59.999999999+23:59', '+275760-09-13T00:00:00Z', '2026-01-01T00:00Z', '2026-01-01t00:00:00z'],
  ...['{{', '{{ a', '{% for i in (1..1000000000) %}x{% endfor %}', '{{ "x" | nothing }}', '{% include "x" %}'],
  ...['http://169.254.169.254/', 'file:///etc/passwd', 'http://[::1]:1/', 'javascript:1', 'http://user:pw@localhost/'],
  ...[
    'ann@acme.test\r\nBcc: all@acme.test',
    '"a b"@acme.test',
    'a@b',
    'ＡＮＮ@acme.test',
    `${'a'.repeat(250)}@acme.test`,
  ],
  ...[{ toString: 1 }, { constructor: { prototype: 1 } }, { a: { b: { c: { d: [1, [2, [3]]] } } } }, 'toString'],
  ...['a[?b', 'sort_by(@, &x)', 'foo('.repeat(40), '`1`', '@', 'length(@)', '********'],
];

/** Within the quota `send_at_days`. */
export const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
