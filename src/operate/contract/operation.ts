import type { OpenAPIObject } from '@nestjs/swagger';
import {
  changedMeanwhile,
  conflict,
  forbidden,
  invalidField,
  notFound,
  payloadTooLarge,
  tooManyRequests,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from '../../platform/http/problem.js';
import type { Problem } from '../../platform/http/problem.js';
import { IF_MATCH, pathParameters } from './path-parameters.js';
import { alternatives } from './security.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  'x-permission'?: string;
  'x-reach'?: 'service' | 'organization' | 'project';
  'x-spends'?: 'storage' | 'trigger';
  'x-recipient-scope'?: string;
  'x-etag'?: 'answers' | 'checks';
};

const QUOTA_EXCEEDED = 'The organization has used up a quota; the answer names it.';

const ERRORS: Record<string, [name: string, description: string]> = {
  400: ['InvalidRequest', 'The request is invalid; `errors` names the fields.'],
  401: ['Unauthorized', 'The API key or recipient token is invalid or missing.'],
  403: [
    'Forbidden',
    'The API key lacks the permission or the reach that the operation requires, a recipient token does not reach the operation, or a request with the cookie of a session may come from another site.',
  ],
  404: ['NotFound', 'A resource in the path does not exist, or the API key does not reach it.'],
  409: ['QuotaExceeded', QUOTA_EXCEEDED],
  412: ['PreconditionFailed', 'It was changed or deleted since the version in `If-Match`. Nothing was changed.'],
  413: ['PayloadTooLarge', 'The body is too large.'],
  415: ['UnsupportedMediaType', 'The body is not JSON.'],
  429: [
    'TooManyRequests',
    'The request exceeds the rate limit of the API key or a quota of the organization, the organization has too many requests under way, or too many wrong keys or tokens came from the address.',
  ],
  503: ['Unavailable', 'The service or its database cannot answer at the moment. Send the request again.'],
};

/** An answer of each status, as the service gives it. */
const EXAMPLES: Record<string, Problem> = {
  400: invalidField('email', 'invalid_format', 'must be an e-mail address'),
  401: unauthorized('The API key is not valid.'),
  403: forbidden('user:write'),
  404: notFound('organization'),
  409: conflict('The name is taken.'),
  412: changedMeanwhile(),
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
const ETAG = {
  description: 'The version of what the answer shows, for `If-Match` of a later change.',
  schema: { type: 'string' },
  example: '"Vn0Y4aJ9rPqk3v7ZtK2dLw"',
};
const WITH_ETAG = { ETag: { $ref: '#/components/headers/ETag' } };
const EVERY_ANSWER = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** Headers and responses that operations share. */
export const sharedHeaders = { 'X-Request-Id': REQUEST_ID, ETag: ETAG };
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
  const inPath = pathParameters(path);
  const others = (operation.parameters ?? []).filter((parameter) => !('in' in parameter && parameter.in === 'path'));
  const etag = operation['x-etag'];
  delete operation['x-etag'];
  operation.parameters = [...inPath, ...others, ...(etag === 'checks' ? [IF_MATCH] : [])];
  const permission = operation['x-permission'];
  if (permission) {
    const needs = `Permission: \`${permission}\`${REACHES[operation['x-reach'] ?? 'any']}.`;
    const scope = operation['x-recipient-scope'];
    const instead = scope && `Or a recipient token of the user with the scope \`${scope}\`.`;
    operation.description = [operation.description, [needs, instead].filter(Boolean).join(' ')]
      .filter(Boolean)
      .join('\n\n');
  }
  operation.security = operation.security ? alternatives(Boolean(operation['x-recipient-scope'])) : [];
  const responses = operation.responses as Record<string, Response | { $ref: string }>;
  for (const status of [...errorsOf(operation, inPath.length > 0), ...(etag === 'checks' ? ['412'] : [])]) {
    responses[status] ??= { $ref: `#/components/responses/${ERRORS[status]![0]}` };
  }
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue;
    if (etag && Number(status) < 300 && status !== '204') response.headers = { ...WITH_ETAG, ...response.headers };
    response.description ||= 'Success.';
    if (status === '409' && storesBody(operation) && !response.description.includes(QUOTA_EXCEEDED))
      response.description += ` ${QUOTA_EXCEEDED}`;
    const isProblem = Number(status) >= 400 && response.content === undefined;
    if (isProblem) response.content = problemOf(status);
    response.headers = { ...EVERY_ANSWER, ...(isProblem && HEADERS[status]), ...response.headers };
  }
}

/** Whether the organization must have space for it. */
const storesBody = (operation: Operation) =>
  operation['x-spends'] !== undefined ||
  (operation.requestBody !== undefined && operation['x-permission']?.endsWith(':write'));

function errorsOf(operation: Operation, hasNames: boolean): string[] {
  const needsKey = operation.security?.length !== 0;
  return [
    '400', // every operation refuses unknown query parameters
    ...(needsKey ? ['401', '403'] : []),
    ...(hasNames ? ['404'] : []),
    ...(storesBody(operation) ? ['409'] : []),
    ...(operation.requestBody ? ['413', '415'] : []),
    ...(needsKey ? ['429', '503'] : []),
  ];
}
