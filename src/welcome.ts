/** What a person reads in the first minute. */
export function welcome(url: string, demoKey: string | null): string {
  const rows = [
    ['API', `${url}/api/`],
    ['Documentation', `${url}/api/docs/`],
    [
      'API key',
      demoKey ?? 'shown when it was created; another: npm run carillon -- key create --org demo --name me --all',
    ],
  ];
  const table = rows.map(([label, value]) => `  ${label!.padEnd(14)} ${value}\n`).join('');
  const key = demoKey ?? '<API_KEY>';
  return `
Carillon is running.

${table}
Trigger the demo event:

  curl -X POST ${url}/api/o/demo/p/shop/a/web/e/order-paid/trigger/ \\
    -H 'Authorization: Key ${key}' -H 'Content-Type: application/json' \\
    -d '{"context": {"order": "A-17", "total": 120}}'

and read what Ann got:

  curl ${url}/api/o/demo/u/ann@example.com/inbox/ -H 'Authorization: Key ${key}'

`;
}
