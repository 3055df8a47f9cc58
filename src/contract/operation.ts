import type { OpenAPIObject } from '@nestjs/swagger';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  'x-permission'?: string;
  'x-reach'?: 'service' | 'organization' | 'project';
};

interface PathParameter {
  description: string;
  schema: object;
  example: string | number;
}

const PATH_PARAMETERS: Record<string, PathParameter> = {
  org: { description: 'Slug of the organization.', schema: { type: 'string' }, example: 'acme' },
  prj: { description: 'Slug of the project.', schema: { type: 'string' }, example: 'shop' },
  app: { description: 'Slug of the application.', schema: { type: 'string' }, example: 'web' },
  evt: { description: 'Slug of the event.', schema: { type: 'string' }, example: 'order-paid' },
  username: { description: 'The username: it is the e-mail.', schema: { type: 'string' }, example: 'ann@acme.test' },
  message: { description: 'Id of the message in the inbox.', schema: { type: 'integer', minimum: 1 }, example: 8 },
  occurrence: {
    description: 'Id of the occurrence, as its trigger answered.',
    schema: { type: 'string', format: 'uuid' },
    example: '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21',
  },
  delivery: { description: 'Id of the delivery.', schema: { type: 'integer', minimum: 1 }, example: 17 },
  key: { description: 'Id of the API key.', schema: { type: 'integer', minimum: 1 }, example: 12 },
  channel: { description: 'Slug of the channel.', schema: { type: 'string' }, example: 'mail' },
  notification: { description: 'Id of the notification.', schema: { type: 'integer', minimum: 1 }, example: 9 },
  member: { description: 'Id of the member.', schema: { type: 'integer', minimum: 1 }, example: 31 },
  name: { description: 'The kind of the address.', schema: { type: 'string' }, example: 'phone' },
  value: { description: 'The address itself.', schema: { type: 'string' }, example: '+15551234567' },
  pk: { description: 'Id of the distribution list.', schema: { type: 'integer', minimum: 1 }, example: 4 },
};

const ERRORS: Record<string, [name: string, description: string]> = {
  400: ['InvalidRequest', 'The request is invalid; `errors` names the fields.'],
  401: ['Unauthorized', 'The API key is invalid or missing.'],
  403: ['Forbidden', 'The API key lacks the permission.'],
  404: ['NotFound', 'Something named in the path does not exist.'],
  413: ['PayloadTooLarge', 'The body is too large.'],
  415: ['UnsupportedMediaType', 'The body is not JSON.'],
  429: ['TooManyRequests', 'The API key has a rate limit, and this request is above it.'],
};

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** All but the first are on every answer to a key that has a limit. */
const HEADERS: Record<string, Record<string, object>> = {
  429: {
    'Retry-After': {
      description: 'Seconds until a request is let through.',
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
    RateLimit: text('What is left, and in how many seconds all of it is there again.', '"key";r=0;t=1'),
    'RateLimit-Policy': text('Requests (`q`) in a number of seconds (`w`).', '"key";q=100;w=1'),
  },
};

/** What operations share, said once. */
export const sharedParameters = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, parameter]) => [
    name,
    { name, in: 'path' as const, required: true, ...parameter },
  ]),
);
export const sharedResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([status, [name, description]]) => [
    name,
    { description, headers: HEADERS[status], content: PROBLEM },
  ]),
);

const REACHES = {
  any: '',
  service: ', with an operator key',
  organization: ', with a key of the whole organization',
  project: ', with a key of the whole project',
};

/** Says on every operation what the code holds for all of them: path names, permission, errors. */
export function completeOperation(path: string, operation: Operation): void {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const others = (operation.parameters ?? []).filter((parameter) => !('in' in parameter && parameter.in === 'path'));
  operation.parameters = [...names.map(parameterRef), ...others];
  const permission = operation['x-permission'];
  if (permission) {
    const needs = `Permission: \`${permission}\`${REACHES[operation['x-reach'] ?? 'any']}.`;
    operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
  } else operation.security = [];
  const responses = operation.responses as Record<string, { description: string; content?: object } | { $ref: string }>;
  for (const status of errorsOf(operation, names)) {
    responses[status] ??= { $ref: `#/components/responses/${ERRORS[status]![0]}` };
  }
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue;
    response.description ||= 'Success.';
    if (Number(status) >= 400) response.content ??= PROBLEM;
  }
}

function parameterRef(name: string): { $ref: string } {
  if (!(name in PATH_PARAMETERS)) throw new Error(`describe the path parameter {${name}} in the contract`);
  return { $ref: `#/components/parameters/${name}` };
}

function errorsOf(operation: Operation, names: string[]): string[] {
  const isAsked = operation.parameters!.some((parameter) => 'in' in parameter && parameter.in !== 'path');
  return [
    ...(operation.requestBody || isAsked ? ['400'] : []),
    ...(operation['x-permission'] ? ['401', '403'] : []),
    ...(names.length > 0 ? ['404'] : []),
    ...(operation.requestBody ? ['413', '415'] : []),
    ...(operation['x-permission'] ? ['429'] : []),
  ];
}
