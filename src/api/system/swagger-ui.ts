import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { HttpServer } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { publishedContract } from '../../platform/config/published-contract.js';
import { FixedDocument } from '../../platform/http/fixed-document.js';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The files of Swagger UI that the page uses. */
const FILES = {
  'swagger-ui.css': CSS,
  'index.css': CSS,
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-32x32.png': 'image/png',
  'favicon-16x16.png': 'image/png',
};

/** The API documentation to read, at `/api/docs/`: the published contract in Swagger UI. */
export function serveDocs(app: NestExpressApplication): void {
  const adapter = app.getHttpAdapter() as unknown as HttpServer<Request, Response>;
  const serve = (path: string, document: FixedDocument) =>
    adapter.get(path, (request: Request, response: Response) => document.send(request, response));
  // Links in the page are relative: a proxy may serve it below another path.
  const inFolder = new FixedDocument(HTML, () => page('./'));
  const besideFolder = new FixedDocument(HTML, () => page('./docs/'));
  adapter.get('/api/docs', (request: Request, response: Response) =>
    (request.path.endsWith('/') ? inFolder : besideFolder).send(request, response),
  );
  serve('/api/docs/index.html', inFolder);
  serve('/api/docs/colors.css', new FixedDocument(CSS, () => COLORS));
  serve('/api/docs/swagger-ui-init.js', new FixedDocument(SCRIPT, initScript));
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(FILES))
    serve(`/api/docs/${name}`, new FixedDocument(type, () => readFileSync(join(folder, name))));
}

const page = (base: string) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Carillon API</title>
  <link rel="stylesheet" href="${base}swagger-ui.css">
  <link rel="stylesheet" href="${base}index.css">
  <link rel="stylesheet" href="${base}colors.css">
  <link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
  <link rel="icon" type="image/png" href="${base}favicon-16x16.png" sizes="16x16">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="${base}swagger-ui-bundle.js"></script>
  <script src="${base}swagger-ui-init.js"></script>
</body>
</html>
`;

/** What Swagger UI forgets in dark mode: the page before it is drawn, and texts that stay dark. */
const COLORS = `@media (prefers-color-scheme: dark) {
  body { background: #1c2022; }
  html.dark-mode .swagger-ui table.headers td.header-col,
  html.dark-mode .swagger-ui .examples-select .examples-select__section-label { color: #e4e6e6; }
  html.dark-mode .swagger-ui .opblock .opblock-section-header .btn.try-out__btn.cancel { color: #ff8080; }
}
`;

interface Contract {
  components: { securitySchemes: Record<string, object> };
}

/** Somebody pastes a key or a token. The other ways to send the same key would only be more boxes, and a page cannot set a cookie. */
const PASTED = ['ApiKeyAuthentication', 'RecipientToken'];

const withFewerSchemes = ({ components }: Contract) => ({
  ...components,
  securitySchemes: Object.fromEntries(
    Object.entries(components.securitySchemes).filter(([name]) => PASTED.includes(name)),
  ),
});

/**
 * The contract in the words of OpenAPI 3.0, which differ only for values that may be null. To open an operation of a 3.1 document, Swagger UI works
 * through the whole document: that takes it twice as long.
 */
function forSwaggerUi(json: string): string {
  const contract = JSON.parse(json, (_key, value: { type?: unknown } | null) => {
    if (!Array.isArray(value?.type)) return value;
    return { ...value, type: (value.type as string[]).find((type) => type !== 'null'), nullable: true };
  }) as Contract;
  return JSON.stringify({ ...contract, openapi: '3.0.3', components: withFewerSchemes(contract) });
}

// A proxy may serve the API below another path: its address is that of the page, up to `/api/docs/`.
const initScript = () => `const dark = matchMedia('(prefers-color-scheme: dark)');
const showColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showColors);
showColors();
window.onload = () => {
  const spec = ${forSwaggerUi(publishedContract.json)};
  spec.servers = [{ url: location.pathname.replace(/[/]api[/]docs.*$/i, '') || '/' }];
  window.ui = SwaggerUIBundle({
    spec,
    dom_id: '#swagger-ui',
    deepLinking: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    docExpansion: 'list',
    filter: true,
    syntaxHighlight: { theme: 'obsidian' }, // the default is too dark to read
    validatorUrl: null,
  });
};
`;
