import type { OpenAPIObject } from '@nestjs/swagger';
import {
  conflict,
  forbidden,
  invalid,
  notFound,
  payloadTooLarge,
  tooManyRequests,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from '../http/problem.js';
import type { Problem } from '../http/problem.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  'x-permission'?: string;
  'x-reach'?: 'service' | 'organization' | 'project';
  'x-spends'?: 'storage' | 'trigger';
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
  username: { description: 'Username: the e-mail address.', schema: { type: 'string' }, example: 'ann@acme.test' },
  message: { description: 'Id of the message in the inbox.', schema: { type: 'integer', minimum: 1 }, example: 8 },
  occurrence: {
    description: 'Id of the occurrence, as returned by its trigger.',
    schema: { type: 'string', format: 'uuid' },
    example: '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21',
  },
  delivery: { description: 'Id of the delivery.', schema: { type: 'integer', minimum: 1 }, example: 17 },
  key: { description: 'Id of the API key.', schema: { type: 'integer', minimum: 1 }, example: 12 },
  channel: { description: 'Slug of the channel.', schema: { type: 'string' }, example: 'mail' },
  notification: { description: 'Id of the notification.', schema: { type: 'integer', minimum: 1 }, example: 9 },
  member: { description: 'Id of the member.', schema: { type: 'integer', minimum: 1 }, example: 31 },
  name: { description: 'Kind of address.', schema: { type: 'string' }, example: 'phone' },
  value: { description: 'The address itself.', schema: { type: 'string' }, example: '+15551234567' },
  pk: { description: 'Id of the distribution list.', schema: { type: 'integer', minimum: 1 }, example: 4 },
};

const QUOTA_EXCEEDED = 'The organization has used up a quota; the answer names it.';

const ERRORS: Record<string, [name: string, description: string]> = {
  400: ['InvalidRequest', 'The request is invalid; `errors` names the fields.'],
  401: ['Unauthorized', 'The API key is invalid or missing.'],
  403: ['Forbidden', 'The API key lacks the permission or the reach that the operation requires.'],
  404: ['NotFound', 'A resource in the path does not exist, or the API key does not reach it.'],
  409: ['QuotaExceeded', QUOTA_EXCEEDED],
  413: ['PayloadTooLarge', 'The body is too large.'],
  415: ['UnsupportedMediaType', 'The body is not JSON.'],
  429: [
    'TooManyRequests',
    'The request exceeds the rate limit of the API key or a quota of the organization, the organization has too many requests under way, or too many wrong keys came from the address.',
  ],
  503: ['Unavailable', 'The service or its database cannot answer at the moment. Send the request again.'],
};

/** An answer of each status, as the service gives it. */
const EXAMPLES: Record<string, Problem> = {
  400: invalid({ email: ['must be an e-mail address'] }),
  401: unauthorized('The API key is not valid.'),
  403: forbidden('user:write'),
  404: notFound('organization'),
  409: conflict('The name is taken.'),
  413: payloadTooLarge(256),
  415: unsupportedMediaType(),
  429: tooManyRequests(100, 1),
  503: unavailable('The database cannot be reached at the moment.'),
};

const problemOf = (status: string) => ({
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: EXAMPLES[status]?.body() },
});

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
};

/** Every answer to a key with a rate limit carries `RateLimit` and `RateLimit-Policy`. */
const HEADERS: Record<string, Record<string, object>> = {
  429: {
    ...RETRY_AFTER,
    RateLimit: text('Requests left (`r`), and seconds until the full limit is available again (`t`).', '"key";r=0;t=1'),
    'RateLimit-Policy': text('Requests allowed (`q`) in a window of `w` seconds.', '"key";q=100;w=1'),
  },
  503: RETRY_AFTER,
};

const REQUEST_ID = {
  description:
    'Identifies the request in the logs of the service: the `X-Request-Id` of the request (1 to 64 letters, digits, `_`, `.` and `-`), or else a new id.',
  schema: { type: 'string' },
  example: '0b6f1c1e-6a53-4a33-8a43-8b1a9f1c7d55',
};
const EVERY_ANSWER = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** Headers, parameters and responses that operations share. */
export const sharedHeaders = { 'X-Request-Id': REQUEST_ID };
export const sharedParameters = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, parameter]) => [
    name,
    { name, in: 'path' as const, required: true, ...parameter },
  ]),
);
export const sharedResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([status, [name, description]]) => [
    name,
    { description, headers: { ...EVERY_ANSWER, ...HEADERS[status] }, content: problemOf(status) },
  ]),
);

const REACHES = {
  any: '',
  service: ', with an operator key',
  organization: ', with a key of the whole organization',
  project: ', with a key of the whole project',
};

interface Response {
  description: string;
  headers?: object;
  content?: object;
}

/** Adds the parts that all operations have in common: path parameters, permission and errors. */
export function completeOperation(path: string, operation: Operation): void {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const others = (operation.parameters ?? []).filter((parameter) => !('in' in parameter && parameter.in === 'path'));
  operation.parameters = [...names.map(parameterRef), ...others];
  const permission = operation['x-permission'];
  if (permission) {
    const needs = `Permission: \`${permission}\`${REACHES[operation['x-reach'] ?? 'any']}.`;
    operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
  } else operation.security = [];
  const responses = operation.responses as Record<string, Response | { $ref: string }>;
  for (const status of errorsOf(operation, names)) {
    responses[status] ??= { $ref: `#/components/responses/${ERRORS[status]![0]}` };
  }
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue;
    response.description ||= 'Success.';
    if (status === '409' && operation['x-spends']) response.description += ` ${QUOTA_EXCEEDED}`;
    const isProblem = Number(status) >= 400 && response.content === undefined;
    if (isProblem) response.content = problemOf(status);
    response.headers = { ...EVERY_ANSWER, ...(isProblem && HEADERS[status]), ...response.headers };
  }
}

function parameterRef(name: string): { $ref: string } {
  if (!(name in PATH_PARAMETERS))
    throw new Error(`the path parameter {${name}} is not described: add it to PATH_PARAMETERS`);
  return { $ref: `#/components/parameters/${name}` };
}

function errorsOf(operation: Operation, names: string[]): string[] {
  const hasOptions = operation.parameters!.some((parameter) => 'in' in parameter && parameter.in !== 'path');
  return [
    ...(operation.requestBody || hasOptions || operation['x-permission'] ? ['400'] : []),
    ...(operation['x-permission'] ? ['401', '403'] : []),
    ...(names.length > 0 ? ['404'] : []),
    ...(operation['x-spends'] ? ['409'] : []),
    ...(operation.requestBody ? ['413', '415'] : []),
    ...(operation['x-permission'] ? ['429', '503'] : []),
  ];
}
