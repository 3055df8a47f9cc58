import type { Config } from '../../platform/config/config.js';
import { DEMO_OCCURRENCE } from '../provisioning/demo-occurrence.js';
import { linkUrl } from '../../api/session/session-rows.js';

/** The text that is printed after the start. */
export function welcome(url: string, role: Config['role'], demoKey: string | null, link: string | null): string {
  if (role === 'worker') return `\nCarillon's worker is running. Health check: ${url}/health/ready\n\n`;
  const rows = [
    ['Console', link === null ? 'npx carillon console' : `${linkUrl(url, link)}  (works once, for 15 minutes)`],
    ['API', `${url}/api/`],
    ['Documentation', `${url}/api/docs/`],
    ['API key', demoKey ?? 'npx carillon key create --operator --name me --all'],
  ];
  const table = rows.map(([label = '', value]) => `  ${label.padEnd(14)} ${value}\n`).join('');
  return `\nCarillon is running.\n\n${table}\n${demoKey ? tryIt(`${url}/api/o/demo`, demoKey) : ''}`;
}

/** Commands that work when they are pasted one by one, and all at once. */
const tryIt = (
  demo: string,
  key: string,
) => `Try it in another shell: an order is paid, Ann gets a message, and Bob asks why he got none.

  KEY=${key}
  curl -w '\\n' -X POST ${demo}/p/shop/a/web/e/order-paid/trigger/ \\
    -H "Authorization: Key $KEY" -H 'Content-Type: application/json' -d '{"context": {"order": "A-17", "total": 120}}'
  sleep 2
  curl -w '\\n' ${demo}/u/ann@example.com/inbox/ -H "Authorization: Key $KEY"
  curl -w '\\n' '${demo}/occurrences/${DEMO_OCCURRENCE}/explain/?user=bob@example.com' -H "Authorization: Key $KEY"

An earlier order could not be reported to the warehouse: its webhook leads to this machine, which is not allowed. Send it again, and read
why each attempt failed. docs/recipes.md mends the webhook:

  curl -w '\\n' -X POST ${demo}/occurrences/${DEMO_OCCURRENCE}/retry/ -H "Authorization: Key $KEY"
  sleep 2
  curl -w '\\n' '${demo}/occurrences/${DEMO_OCCURRENCE}/deliveries/?status=dead' -H "Authorization: Key $KEY"

`;
