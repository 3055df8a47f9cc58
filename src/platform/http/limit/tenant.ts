import type { IncomingMessage } from 'node:http';

const TENANT = Symbol('tenant');
type Owned = IncomingMessage & { [TENANT]?: number };

/** Requests that belong to no organization: those of operators on no organization's path, and public ones. */
const NO_ORGANIZATION = 0;

/** Notes the organization whose limits count for a request. */
export function setTenant(request: IncomingMessage, organizationId: number | null): void {
  (request as Owned)[TENANT] = organizationId ?? NO_ORGANIZATION;
}

export const tenantOf = (request: IncomingMessage): number => (request as Owned)[TENANT] ?? NO_ORGANIZATION;
