import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { publishedContract } from '../config/published-contract.js';

/** The API documentation for people, at `/api/docs/`: the published contract in Swagger UI. */
export function serveDocs(app: NestExpressApplication): void {
  SwaggerModule.setup('api/docs', app, () => publishedContract.document as OpenAPIObject, {
    customSiteTitle: 'Carillon API',
    raw: false,
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}
