import { FIELD_ERROR_CODES } from '../../platform/field/error/field-error.js';
import { SwaggerModule, DocumentBuilder } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { completeOperation, sharedHeaders, sharedResponses } from './operation.js';
import type { Operation } from './operation.js';
import { operationId } from './operation-id.js';
import { sharedParameters } from './path-parameters.js';
import { inReadingOrder } from './reading-order.js';
import { completeBodies } from './request-body.js';
import { SECURITY_SCHEMES } from './security.js';

const ABOUT = `
Multi-tenant notifications: trigger an event, and Carillon sends a message to each recipient over the configured channels.

Send your API key as \`Authorization: Key <API_KEY>\`, \`Authorization: Bearer <API_KEY>\` or \`X-API-Key: <API_KEY>\`. Each
operation requires one permission. A resource that your key does not reach answers 404, as if it did not exist.

Pages of this service in a browser use the cookie of a session instead of a key. A key in a header wins over the cookie. A request with the
cookie that may change something must come from the same origin, by \`Sec-Fetch-Site\` or \`Origin\`; with \`Origin\` alone, its body must be JSON.

A recipient token reaches the inbox, the preferences and the settings of one user: operations that name a recipient scope. It is sent as
\`Authorization: Bearer <TOKEN>\`, and may go into a browser.

A key may have a rate limit. Every answer to such a key carries \`RateLimit\` and \`RateLimit-Policy\`. A request above the
limit is refused with 429. So is a request with a wrong key or token, after 100 of them from one address in a minute. Recipient tokens of one
user share a limit of 20 requests a second.

Errors are \`application/problem+json\` (RFC 9457). Paths work with and without the trailing slash. Bodies are JSON of at most
256 KB unless an operation allows more. Unknown fields and unknown query parameters are refused. A method that a path does not know
is refused with 405; \`Allow\` names those that it knows. A request that is not valid HTTP is refused with 400, one whose
headers exceed 16 KB with 431, and one that does not arrive in time with 408.

Every answer has an \`X-Request-Id\`. Send your own to find a request in the logs.

Times are RFC 3339 with a time zone, such as \`2030-01-01T08:00:00Z\`. The seconds may be left out. \`24:00\` and leap seconds (\`:60\`)
are refused: send \`00:00\` of the next day or the next second.
`.trim();

/** The groups with basic operations come first. */
const TAGS = {
  System: 'Check that the service is reachable and your key is valid.',
  Organizations: 'The tenant tree: organizations and their projects.',
  Users: 'Users and their addresses.',
  Channels: 'Configured ways to send messages, such as a mail server or a webhook.',
  Applications: 'Applications of a project. Each has its own events.',
  Events: 'Define events and trigger them.',
  'Distribution lists': 'Named groups of recipients.',
  Notifications: 'What an event sends: when, to whom, and which message.',
  Layouts: 'What templates share: layouts around their texts, and partials inside them.',
  Occurrences: 'Triggered events: read, explain, stop and repeat them.',
  Preferences: 'Categories of events, and what users have chosen about them.',
  Suppressions: 'Addresses that get no messages.',
  Uploads: 'Files that messages carry.',
  Inbox: 'In-app messages.',
  'Recipient tokens': 'Tokens for the browsers of users, and the secrets that sign them.',
  'API keys': 'API keys, their permissions and what they reach.',
  Members: 'Colleagues who sign in to an organization, each with a role.',
  Sessions: 'Who is signed in with a browser.',
  Configuration: 'An organization as one file: export, plan and apply it.',
  Audit: 'Who changed what.',
  Health: 'Checks for load balancers and orchestrators.',
};

/** Builds the contract from the code. Needs no database. */
export function buildDocument(app: NestExpressApplication, version: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Carillon')
    .setVersion(version)
    .setDescription(ABOUT)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/');
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) builder.addSecurity(name, scheme);
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { operationIdFactory: operationId });
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const slashed = path.startsWith('/api/') ? path.replace(/\/?$/, '/') : path;
      for (const operation of Object.values(item) as Operation[]) completeOperation(slashed, operation);
      return [slashed, item];
    }),
  );
  document.paths = inReadingOrder(document.paths);
  const { components } = document;
  components!.schemas!.Problem = PROBLEM;
  components!.parameters = sharedParameters;
  components!.responses = sharedResponses;
  components!.headers = sharedHeaders;
  completeBodies(document);
  const { openapi, info, servers, tags, paths, components: parts } = withoutSuffix(document);
  return { openapi, info, servers, tags, paths, components: parts };
}

/** Removes `Dto` from schema names: readers of the contract know users, not DTOs. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replace(/"#\/components\/schemas\/(\w+?)Dto"/g, '"#/components/schemas/$1"');
  const renamed = JSON.parse(text, orNull) as OpenAPIObject;
  const schemas = Object.entries(renamed.components!.schemas!).map(
    ([name, schema]) => [name.replace(/Dto$/, ''), schema] as const,
  );
  renamed.components!.schemas = Object.fromEntries(schemas.sort(([a], [b]) => a.localeCompare(b, 'en')));
  return renamed;
}

/** OpenAPI 3.1 writes `type: [string, 'null']` instead of 3.0's `nullable`. */
function orNull(_key: string, value: { nullable?: boolean; type?: string } | null): unknown {
  if (typeof value !== 'object' || !value?.nullable) return value;
  const { nullable: _, type, ...rest } = value;
  return { type: [type, 'null'], ...rest };
}

const PROBLEM = {
  type: 'object' as const,
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', description: 'The kind of problem.', example: 'urn:carillon:problem:invalid-request' },
    title: { type: 'string', example: 'Invalid request' },
    status: { type: 'integer', description: 'The HTTP status.', example: 400 },
    detail: { type: 'string', example: 'The request is invalid: see email under errors.' },
    errors: {
      type: 'object',
      description: 'With 400: the problems of each invalid field.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      example: { email: ['is already used by another user'] },
    },
    codes: {
      type: 'object',
      description:
        'With 400: the same problems for programs. `codes.email[0]` belongs to `errors.email[0]`. Codes may be added.',
      additionalProperties: { type: 'array', items: { type: 'string', enum: [...FIELD_ERROR_CODES] } },
      example: { email: ['already_exists'] },
    },
    request_id: { type: 'string', description: 'With 500 and above: search the logs for this id.' },
  },
};
