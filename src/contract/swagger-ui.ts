import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { HttpServer } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { publishedContract } from '../config/published-contract.js';

/** The API documentation for people, at `/api/docs/`: the published contract in Swagger UI. */
export function serveDocs(app: NestExpressApplication): void {
  const adapter = app.getHttpAdapter() as unknown as HttpServer<Request, Response>;
  const servePage = (request: Request, response: Response) =>
    // Links in the page are relative: a proxy may serve it below another path.
    response.type('text/html').send(page(request.path.endsWith('/docs') ? './docs/' : './'));
  for (const path of ['/api/docs', '/api/docs/index.html']) adapter.get(path, servePage);
  adapter.get('/api/docs/swagger-ui-init.js', (_request: Request, response: Response) =>
    response.type('application/javascript').send(initScript()),
  );
  const files = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  app.useStaticAssets(files, { prefix: '/api/docs', index: false });
}

const page = (base: string) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Carillon API</title>
  <link rel="stylesheet" href="${base}swagger-ui.css">
  <link rel="stylesheet" href="${base}index.css">
  <link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
  <link rel="icon" type="image/png" href="${base}favicon-16x16.png" sizes="16x16">
  <style>.swagger-ui .topbar .download-url-wrapper { display: none }</style>
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="${base}swagger-ui-bundle.js"></script>
  <script src="${base}swagger-ui-standalone-preset.js"></script>
  <script src="${base}swagger-ui-init.js"></script>
</body>
</html>
`;

const initScript = () => `window.onload = () => {
  window.ui = SwaggerUIBundle({
    spec: ${publishedContract.json},
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: 'StandaloneLayout',
    persistAuthorization: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
  });
};
`;
