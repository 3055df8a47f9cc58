import { htmlPage } from '../../platform/http/html-page.js';
import type { HtmlPage } from '../../platform/http/html-page.js';

const STYLE = `
  ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; }
  li + li { border-top: 1px solid var(--line); }
  a { display: block; padding: 0.75rem 1rem; color: inherit; text-decoration: none; }
  a:hover, a:focus-visible { background: #8882; }
  a span { display: block; opacity: 0.8; }
`;

interface Facts {
  /** The way from the page to the root. */
  base: string;
  version: string;
  /** `ok`, or the problem. */
  checks: Record<string, string>;
}

/** The first page of the API. */
export function indexPage({ base, version, checks }: Facts): HtmlPage {
  const problems = Object.entries(checks).filter(([, state]) => state !== 'ok');
  const health = problems.length === 0 ? 'ok' : problems.map(([name, state]) => `${name}: ${state}`).join(', ');
  const links = [
    ['/console/', 'Console', 'What happened to each message, and how to change or stop it'],
    ['/api/docs/', 'API documentation', 'Every operation, to read and to try'],
    ['/api/openapi.yaml', 'Contract', 'OpenAPI 3.1, for code generators'],
    ['/api/provisioning.schema.json', 'Schema of configuration files', 'For editors that check what you write'],
    ['/health/ready', 'Health', health],
  ];
  const items = links.map(
    ([path, name, about]) => `    <li><a href="${base}${path}">${name}<span>${about}</span></a></li>`,
  );
  const about = `Version ${version}. Notifications for many organizations.`;
  const body = `  <h1>Carillon</h1>\n  <p>${about}</p>\n  <ul>\n${items.join('\n')}\n  </ul>`;
  return htmlPage({ title: 'Carillon', style: STYLE, body });
}
