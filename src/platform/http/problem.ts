import { pick } from '../field/error/field-error.js';
import type { FieldErrorCode, FieldErrors } from '../field/error/field-error.js';

/** Every kind of error that the API answers. */
const KINDS = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  'quota-exceeded': { status: 409, title: 'Quota exceeded' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Headers too large' },
  // Nobody reads it. nginx has the same number in its logs.
  'client-left': { status: 499, title: 'Client left' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Unavailable' },
} as const;

type ProblemKind = keyof typeof KINDS;

/** RFC 9457 `application/problem+json`. */
interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The problems of each invalid field, as sentences. */
  errors?: Record<string, string[]>;
  /** The same for programs, in the same order. */
  codes?: Record<string, FieldErrorCode[]>;
  request_id?: string;
}

/** An error that is sent as an answer. Create it with one of the functions below. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly detail: string,
    readonly errors?: FieldErrors,
    readonly headers: Record<string, string> = {},
    /** The quota of the organization that refuses the request; for metrics. */
    readonly quota?: string,
    /** Whether a 5xx is no failure: it is logged at debug. */
    readonly isPlanned = false,
  ) {
    super(detail);
  }

  get status(): number {
    return KINDS[this.kind].status;
  }

  body(): ProblemBody {
    const { status, title } = KINDS[this.kind];
    const type = `urn:carillon:problem:${this.kind}`;
    const { detail, errors } = this;
    return {
      ...{ type, title, status, detail },
      ...(errors && { errors: pick(errors, 'sentence'), codes: pick(errors, 'code') }),
    };
  }
}

export function invalid(errors: FieldErrors, quota?: string): Problem {
  const fields = Object.keys(errors).join(', ');
  return new Problem('invalid-request', `The request is invalid: see ${fields} under errors.`, errors, {}, quota);
}

export const invalidField = (field: string, code: FieldErrorCode, sentence: string): Problem =>
  invalid({ [field]: [{ code, sentence }] });

/** For a name that is unique among the rows of an owner. */
export const alreadyExists = (noun: string, field = 'slug'): Problem =>
  invalidField(field, 'already_exists', `is already used by another ${noun}`);

export function unauthorized(detail: string, scheme: 'Key' | 'Bearer' = 'Key'): Problem {
  return new Problem('unauthorized', detail, undefined, { 'WWW-Authenticate': scheme });
}

export function forbidden(permission: string): Problem {
  return new Problem('forbidden', `The API key lacks the permission ${permission}.`);
}

/** For a recipient token, which reaches few operations. */
export function notForRecipients(detail: string): Problem {
  return new Problem('forbidden', detail);
}

/** For a write with the cookie of a session that another site may have caused. */
export function notFromHere(reason: string): Problem {
  const detail = `The request ${reason}. With the cookie of a session, only pages of this service may write. Programs use an API key, as in Authorization: Key <API_KEY>.`;
  return new Problem('forbidden', detail);
}

/** For a key that would change a key or a session with more permissions. */
export function tooWeak(missing: string[], what = 'key that it would revoke'): Problem {
  const detail = `The API key lacks permissions of the ${what}: ${missing.join(', ')}. Use a key that has them.`;
  return new Problem('forbidden', detail);
}

/** For a key that is bound to a smaller part of the tree than the operation requires. */
export function outOfReach(reach: 'service' | 'organization' | 'project'): Problem {
  return new Problem('forbidden', OUT_OF_REACH[reach]);
}

const OUT_OF_REACH = {
  service: 'The API key is bound to an organization. Use an operator key.',
  organization:
    'The API key is bound to a project, and this concerns the whole organization. Use a key for the whole organization.',
  project:
    'The API key is bound to an application, and this concerns the whole project. Use a key for the whole project.',
};

/** The same text for a missing resource and for one of another tenant, so that nobody can probe for tenants. */
export function notFound(noun: string): Problem {
  return new Problem('not-found', `There is no such ${noun}.`);
}

/** For a path that exists with other methods. */
export function methodNotAllowed(method: string, allowed: string[]): Problem {
  const detail = `${method} does not work here. Use ${allowed.join(' or ')}.`;
  return new Problem('method-not-allowed', detail, undefined, { Allow: allowed.join(', ') });
}

export function conflict(detail: string): Problem {
  return new Problem('conflict', detail);
}

/** For a change of something that was changed after the client had read it. */
export function changedMeanwhile(): Problem {
  const detail =
    'It was changed or deleted since you read the version in If-Match, so nothing was changed. Read it again, and decide.';
  return new Problem('precondition-failed', detail);
}

// Closes the connection instead of reading the rest of the refused body.
export function payloadTooLarge(limitKb: number, what = 'body'): Problem {
  return new Problem('payload-too-large', `The ${what} is larger than ${limitKb} KB.`, undefined, {
    Connection: 'close',
  });
}

export function headersTooLarge(): Problem {
  return new Problem('headers-too-large', 'The headers are larger than 16 KB together.');
}

export function requestTimeout(): Problem {
  return new Problem('request-timeout', 'The request did not arrive in time. Send it again.');
}

/** The client closed the connection before it had its answer. */
export function clientLeft(): Problem {
  return new Problem('client-left', 'The client has disconnected.');
}

export function unsupportedMediaType(format = 'JSON', type = 'application/json'): Problem {
  return new Problem('unsupported-media-type', `The body must be ${format}, with Content-Type: ${type}.`);
}

export function tooManyRequests(limit: number, retryAfterSeconds: number, who = 'API key'): Problem {
  return new Problem(
    'too-many-requests',
    `Rate limit exceeded: this ${who} allows ${limit} requests per second.`,
    undefined,
    {
      'Retry-After': String(retryAfterSeconds),
    },
  );
}

/** For streams of recipients. The newest is refused: the others continue. */
export function tooManyStreams(detail: string): Problem {
  return new Problem('too-many-requests', detail, undefined, { 'Retry-After': '5' });
}

export function tooManyWrongKeys(retryAfterSeconds: number): Problem {
  const detail = 'Too many requests with a wrong API key or token came from this address. Check the key.';
  return new Problem('too-many-requests', detail, undefined, { 'Retry-After': String(retryAfterSeconds) });
}

/** For mails with sign-in links: nobody's mailbox is filled with them. */
export function tooManyLinks(retryAfterSeconds: number): Problem {
  const detail = 'Too many sign-in links were asked for. Look into the mailbox, or try again later.';
  return new Problem('too-many-requests', detail, undefined, { 'Retry-After': String(retryAfterSeconds) });
}

/** For an organization that has used up what it may store. `detail` says what to do. */
export function quotaExceeded(quota: string, detail: string): Problem {
  return new Problem('quota-exceeded', detail, undefined, {}, quota);
}

export function tooManyTriggers(limit: number, retryAfterSeconds: number): Problem {
  const detail = `Rate limit exceeded: the organization allows ${limit} triggers per second with all its keys (quota triggers_per_second). Try again later, or ask the operator for a higher quota.`;
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new Problem('too-many-requests', detail, undefined, headers, 'triggers_per_second');
}

/** For an organization that already uses its share of the service. */
export function tooBusy(detail: string): Problem {
  return new Problem('too-many-requests', detail, undefined, { 'Retry-After': '1' });
}

export function unavailable(detail: string, retryAfterSeconds = 1): Problem {
  return new Problem('unavailable', detail, undefined, { 'Retry-After': String(retryAfterSeconds) });
}

/** For a write to an organization that moves to another cell. */
export function movesAway(): Problem {
  const detail = 'The organization moves to another cell. Try again in a moment.';
  return new Problem('unavailable', detail, undefined, { 'Retry-After': '2' }, undefined, true);
}
