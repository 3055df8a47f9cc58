import { isEmailAddress } from '../../../platform/field/email.js';
import type { Permission } from '../../../auth/permission.js';

/** An OpenID provider, as `OIDC_FILE` describes it. */
export interface Provider {
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Null: a public client, which has no secret. */
  clientSecret: string | null;
  scope: string;
  /** The claim that holds the groups of an operator. */
  groupsClaim: string;
  /** The first of these that an operator is in decides. */
  groups: GroupRights[];
}

/** What the operators of a group may do, and where. */
export interface GroupRights {
  group: string;
  permissions: readonly Permission[];
  /** Null: all organizations. */
  organization: string | null;
  project: string | null;
  application: string | null;
}

export const PROVIDERS = Symbol('OpenID providers');

export type Claims = Record<string, unknown>;

const MAX_NAME = 255;

/** Providers that say nothing about it verify every address. Some send the truth as text. */
const VERIFIED: unknown[] = [undefined, true, 'true'];

/** The name of an operator in the audit log: an e-mail address that the provider has not called unverified, or else another name. */
export function operatorOf(claims: Claims): string {
  const email = VERIFIED.includes(claims.email_verified) ? claims.email : undefined;
  const names = [email, claims.preferred_username, claims.sub];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
  // PostgreSQL stores no NUL.
  return name.replaceAll('\u0000', '').slice(0, MAX_NAME).toWellFormed();
}

/** The e-mail by which somebody may be a member; null: the provider does not say that it is theirs. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string | null {
  return (verified === true || verified === 'true') && isEmailAddress(email) ? email : null;
}

/** The groups of an operator; null: the claims do not say. Some providers send one group as text. */
export function groupsOf(claims: Claims, name: string): string[] | null {
  const value = claims[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((group): group is string => typeof group === 'string') : null;
}

export const rightsOf = ({ groups }: Provider, own: readonly string[]): GroupRights | null =>
  groups.find(({ group }) => own.includes(group)) ?? null;
