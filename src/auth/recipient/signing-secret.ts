import { randomBytes } from 'node:crypto';

// A prefix for secret scanners, and 256 random bits.
export const newSigningSecret = () => `crs_${randomBytes(32).toString('base64url')}`;

export const newKid = () => randomBytes(9).toString('base64url');

/** Where the secret is stored, for `SecretBox`. */
export const signingSecretContext = (organizationId: number, kid: string) => `signing secret ${organizationId} ${kid}`;
