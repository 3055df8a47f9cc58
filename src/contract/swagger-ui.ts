import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';

/** The API documentation for people, at `/api/docs/`; it reads the published contract. */
export function serveDocs(app: NestExpressApplication): void {
  SwaggerModule.setup(
    'api/docs',
    app,
    { openapi: '3.1.0', info: { title: 'Carillon', version: '' }, paths: {} },
    {
      customSiteTitle: 'Carillon API',
      raw: false,
      swaggerUrl: '/api/openapi.json',
      swaggerOptions: {
        url: '/api/openapi.json',
        persistAuthorization: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
      },
    },
  );
}
