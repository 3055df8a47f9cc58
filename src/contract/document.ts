import { SwaggerModule, DocumentBuilder } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { completeOperation, sharedParameters, sharedResponses } from './operation.js';
import type { Operation } from './operation.js';
import { operationId } from './operation-id.js';

const ABOUT = `
Multi-tenant notifications: post an event, and everyone who must hear of it is told over the channels they are reached by.

Present your key as \`Authorization: Key <API_KEY>\`, \`Authorization: Bearer <API_KEY>\` or \`X-API-Key: <API_KEY>\`. Each
operation needs one permission. What lies outside your key's branch of the tree does not exist for you: it answers 404.

A key may have a rate limit; then every answer carries \`RateLimit\` and \`RateLimit-Policy\`, and one above it is a 429.

Errors are \`application/problem+json\` (RFC 9457). Paths answer with and without their last slash. Bodies are JSON of at most
256 KB, unless an operation says otherwise, and unknown fields are refused.
`.trim();

const TAGS = {
  System: 'Is it there, and does my key work?',
  Organizations: 'The tenant tree: organizations and their projects.',
  Channels: 'The ways out.',
  Applications: 'What holds events.',
  Events: 'What can happen, and that it has happened.',
  Notifications: 'The rules of an event: when, to whom, what.',
  Occurrences: 'What became of a trigger: read, explain, stop, repeat.',
  Users: 'People, and how they are reached.',
  Inbox: 'In-app messages.',
  'Distribution lists': 'Named groups of recipients.',
  'API keys': 'Who may do what, and where.',
  Audit: 'Who changed what.',
  Health: 'For load balancers and orchestrators.',
};

/** The contract, built from the code. It needs no database. */
export function buildDocument(app: NestExpressApplication, version: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Carillon')
    .setVersion(version)
    .setDescription(ABOUT)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Paste your API key.' },
      'ApiKeyAuthentication',
    );
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { operationIdFactory: operationId });
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const slashed = path.startsWith('/api/') ? path.replace(/\/?$/, '/') : path;
      for (const operation of Object.values(item) as Operation[]) completeOperation(slashed, operation);
      return [slashed, item];
    }),
  );
  const { components } = document;
  components!.schemas!.Problem = PROBLEM;
  components!.parameters = sharedParameters;
  components!.responses = sharedResponses;
  const { openapi, info, servers, tags, paths, components: parts } = withoutSuffix(document);
  return { openapi, info, servers, tags, paths, components: parts };
}

/** Readers of the contract know users, not DTOs. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replace(/"#\/components\/schemas\/(\w+?)Dto"/g, '"#/components/schemas/$1"');
  const renamed = JSON.parse(text, orNull) as OpenAPIObject;
  const schemas = Object.entries(renamed.components!.schemas!).map(
    ([name, schema]) => [name.replace(/Dto$/, ''), schema] as const,
  );
  renamed.components!.schemas = Object.fromEntries(schemas.sort(([a], [b]) => a.localeCompare(b, 'en')));
  return renamed;
}

/** OpenAPI 3.1 says `type: [string, 'null']` where 3.0 said `nullable`. */
function orNull(_key: string, value: { nullable?: boolean; type?: string } | null): unknown {
  if (typeof value !== 'object' || !value?.nullable) return value;
  const { nullable: _, type, ...rest } = value;
  return { type: [type, 'null'], ...rest };
}

const PROBLEM = {
  type: 'object' as const,
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', description: 'The kind of problem.', example: 'urn:carillon:problem:invalid-request' },
    title: { type: 'string', example: 'Invalid request' },
    status: { type: 'integer', description: 'The HTTP status.', example: 400 },
    detail: { type: 'string', example: 'The request is invalid: see email under errors.' },
    errors: {
      type: 'object',
      description: 'With 400: each field with what is wrong about it.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      example: { email: ['belongs to a user that already exists'] },
    },
    request_id: { type: 'string', description: 'With 500 and above: the id to look for in the logs.' },
  },
};
