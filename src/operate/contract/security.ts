import type { OpenAPIObject } from '@nestjs/swagger';

type Schemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;
type Scheme = Exclude<Schemes[string], { $ref: string }>;

/** Each way to present a key or a session that the guard accepts. */
const KEY_SCHEMES: Record<string, Scheme> = {
  ApiKeyAuthentication: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Paste your API key.' },
  AuthorizationKey: {
    ...{ type: 'apiKey', in: 'header', name: 'Authorization' },
    description: 'The word `Key`, a space, and your API key: `Key <API_KEY>`.',
  },
  BearerKey: { type: 'http', scheme: 'bearer', description: 'Your API key, as `Authorization: Bearer <API_KEY>`.' },
  SessionCookie: {
    ...{ type: 'apiKey', in: 'cookie', name: '__Host-carillon' },
    description: 'The session of an operator who has signed in with a browser.',
  },
  SessionCookieWithoutTls: {
    ...{ type: 'apiKey', in: 'cookie', name: 'carillon' },
    description: 'The same where the service is reached without TLS, as on your own machine.',
  },
};

const RECIPIENT_TOKEN: Scheme = {
  ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  description: 'Paste a recipient token.',
};

export const SECURITY_SCHEMES: Record<string, Scheme> = { ...KEY_SCHEMES, RecipientToken: RECIPIENT_TOKEN };

/** The alternatives of an operation: any one of them suffices. */
export const alternatives = (isOpenToRecipients: boolean) =>
  [...Object.keys(KEY_SCHEMES), ...(isOpenToRecipients ? ['RecipientToken'] : [])].map((name) => ({ [name]: [] }));
