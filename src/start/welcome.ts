import type { Config } from '../config/config.js';

/** The text that is printed after the start. */
export function welcome(url: string, role: Config['role'], demoKey: string | null): string {
  if (role === 'worker') return `\nCarillon's worker is running. Health check: ${url}/health/ready\n\n`;
  const rows = [
    ['API', `${url}/api/`],
    ['Documentation', `${url}/api/docs/`],
    ['API key', demoKey ?? 'npx carillon key create --help'],
  ];
  const table = rows.map(([label = '', value]) => `  ${label.padEnd(14)} ${value}\n`).join('');
  return `\nCarillon is running.\n\n${table}\n${demoKey ? tryIt(url, demoKey) : ''}`;
}

const tryIt = (url: string, key: string) => `Trigger the demo event:

  curl -X POST ${url}/api/o/demo/p/shop/a/web/e/order-paid/trigger/ \\
    -H 'Authorization: Key ${key}' -H 'Content-Type: application/json' \\
    -d '{"context": {"order": "A-17", "total": 120}}'

Read the message that Ann received:

  curl ${url}/api/o/demo/u/ann@example.com/inbox/ -H 'Authorization: Key ${key}'

`;
