import type { Config } from '../config/config.js';

/** The text that a person reads in the first minute. */
export function welcome(url: string, role: Config['role'], demoKey: string | null): string {
  if (role === 'worker') return `\nCarillon's worker is running; its health is at ${url}/health/ready\n\n`;
  const rows = [
    ['API', `${url}/api/`],
    ['Documentation', `${url}/api/docs/`],
    ['API key', demoKey ?? 'npm run carillon -- key create --help'],
  ];
  const table = rows.map(([label = '', value]) => `  ${label.padEnd(14)} ${value}\n`).join('');
  return `\nCarillon is running.\n\n${table}\n${demoKey ? tryIt(url, demoKey) : ''}`;
}

const tryIt = (url: string, key: string) => `Trigger the demo event:

  curl -X POST ${url}/api/o/demo/p/shop/a/web/e/order-paid/trigger/ \\
    -H 'Authorization: Key ${key}' -H 'Content-Type: application/json' \\
    -d '{"context": {"order": "A-17", "total": 120}}'

and read what Ann got:

  curl ${url}/api/o/demo/u/ann@example.com/inbox/ -H 'Authorization: Key ${key}'

`;
