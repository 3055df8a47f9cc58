/** Every kind of error the API answers, in one list. */
const KINDS = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Conflict' },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Unavailable' },
} as const;

export type ProblemKind = keyof typeof KINDS;

/** Field -> what is wrong with it, in sentences. */
export type FieldErrors = Record<string, string[]>;

/** RFC 9457 `application/problem+json`. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: FieldErrors;
  request_id?: string;
}

/** An error that becomes an answer. Throw one through the functions below. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly detail: string,
    readonly errors?: FieldErrors,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }

  get status(): number {
    return KINDS[this.kind].status;
  }

  body(): ProblemBody {
    const { status, title } = KINDS[this.kind];
    const type = `urn:carillon:problem:${this.kind}`;
    return { type, title, status, detail: this.detail, ...(this.errors && { errors: this.errors }) };
  }
}

export function invalid(errors: FieldErrors): Problem {
  const fields = Object.keys(errors).join(', ');
  return new Problem('invalid-request', `The request is invalid: see ${fields} under errors.`, errors);
}

export function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, undefined, { 'WWW-Authenticate': 'Key' });
}

export function forbidden(permission: string): Problem {
  return new Problem('forbidden', `The API key lacks the permission ${permission}.`);
}

/** For a key that is bound to a part of what it would change. */
export function outOfReach(reach: 'service' | 'organization' | 'project'): Problem {
  const whole = reach === 'service' ? 'only an operator key may do this' : `it must reach the whole ${reach}`;
  return new Problem('forbidden', `The API key is bound to less than it needs: ${whole}.`);
}

/** The same words whether a thing does not exist or belongs to someone else. */
export function notFound(noun: string): Problem {
  return new Problem('not-found', `There is no such ${noun}.`);
}

export function conflict(detail: string): Problem {
  return new Problem('conflict', detail);
}

// Closing the connection spares reading the rest of a body that is refused anyway.
export function payloadTooLarge(limitKb: number): Problem {
  return new Problem('payload-too-large', `The body is larger than ${limitKb} KB.`, undefined, { Connection: 'close' });
}

export function unsupportedMediaType(): Problem {
  return new Problem('unsupported-media-type', 'The body must be JSON, with Content-Type: application/json.');
}

export function tooManyRequests(limit: number, retryAfterSeconds: number): Problem {
  return new Problem('too-many-requests', `The API key may ask ${limit} times a second.`, undefined, {
    'Retry-After': String(retryAfterSeconds),
  });
}

export function unavailable(detail: string): Problem {
  return new Problem('unavailable', detail, undefined, { 'Retry-After': '1' });
}
