import { expect } from '@jest/globals';

/** The bodies of refused requests, word for word. */
export const invalid = (errors: Record<string, string[]>) => ({
  type: 'urn:carillon:problem:invalid-request',
  title: 'Invalid request',
  status: 400,
  detail: `The request is invalid: see ${Object.keys(errors).join(', ')} under errors.`,
  errors,
  codes: expect.any(Object) as unknown,
});

export const unauthorized = (detail: string) => ({
  type: 'urn:carillon:problem:unauthorized',
  title: 'Unauthorized',
  status: 401,
  detail,
});

export const NO_KEY = unauthorized('An API key is required, as in Authorization: Key <API_KEY>.');
export const BAD_KEY = unauthorized('The API key is not valid.');
export const REVOKED_KEY = unauthorized('The API key has been revoked.');
export const EXPIRED_KEY = unauthorized('The API key has expired.');

export const forbidden = (permission: string) => ({
  type: 'urn:carillon:problem:forbidden',
  title: 'Forbidden',
  status: 403,
  detail: `The API key lacks the permission ${permission}.`,
});

export const notFound = (noun: string) => ({
  type: 'urn:carillon:problem:not-found',
  title: 'Not found',
  status: 404,
  detail: `There is no such ${noun}.`,
});

export const CONFLICT = {
  type: 'urn:carillon:problem:conflict',
  title: 'Conflict',
  status: 409,
  detail: 'The Idempotency-Key was used before with another body.',
};

export const tooLarge = (kb: number) => ({
  type: 'urn:carillon:problem:payload-too-large',
  title: 'Payload too large',
  status: 413,
  detail: `The body is larger than ${kb} KB.`,
});

export const NOT_JSON = {
  type: 'urn:carillon:problem:unsupported-media-type',
  title: 'Unsupported media type',
  status: 415,
  detail: 'The body must be JSON, with Content-Type: application/json.',
};
