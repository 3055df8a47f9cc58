import { createHash } from 'node:crypto';

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 10vh auto; padding: 0 1.25rem; }
  h1 { font-size: 1.75rem; margin: 0; }
  p { margin: 0.25rem 0 1.5rem; opacity: 0.75; }
  ul { list-style: none; margin: 0; padding: 0; border: 1px solid #8886; border-radius: 8px; }
  li + li { border-top: 1px solid #8886; }
  a { display: block; padding: 0.75rem 1rem; color: inherit; text-decoration: none; }
  a:hover, a:focus-visible { background: #8882; }
  a span { display: block; opacity: 0.75; }
`;
const ICON =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><text y="13" font-size="13">&#128276;</text></svg>';

/** The page loads nothing and runs nothing; only its own style counts. */
export const INDEX_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; frame-ancestors 'none'`;

interface Facts {
  /** The way from the page to the root. */
  base: string;
  version: string;
  /** `ok`, or the problem. */
  checks: Record<string, string>;
}

/** The first page of a visitor. */
export function indexPage({ base, version, checks }: Facts): string {
  const problems = Object.entries(checks).filter(([, state]) => state !== 'ok');
  const health = problems.length === 0 ? 'ok' : problems.map(([name, state]) => `${name}: ${state}`).join(', ');
  const links = [
    ['/api/docs/', 'API documentation', 'Every operation, to read and to try'],
    ['/api/openapi.yaml', 'Contract', 'OpenAPI 3.1, for code generators'],
    ['/api/provisioning.schema.json', 'Schema of configuration files', 'For editors that check what you write'],
    ['/health/ready', 'Health', health],
  ];
  const items = links.map(
    ([path, name, about]) => `    <li><a href="${base}${path}">${name}<span>${about}</span></a></li>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Carillon</title>
  <link rel="icon" href='${ICON}'>
  <style>${STYLE}</style>
</head>
<body>
  <h1>Carillon</h1>
  <p>Version ${version}. Notifications for many organizations.</p>
  <ul>
${items.join('\n')}
  </ul>
</body>
</html>
`;
}
