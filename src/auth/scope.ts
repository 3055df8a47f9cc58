import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestId } from '../http/request-id.js';
import type { Actor } from '../prisma/actor.js';

/**
 * What a request reaches: the key that asks, and the ids of everything its path names. Settled by the guard before any
 * controller runs, so every query starts from here. An id the path does not name is 0 (of a UUID, nil), which no row has.
 */
export interface Scope {
  key: ScopeKey;
  requestId: string;
  /** The names in the path, as the caller wrote them. */
  path: PathNames;
  organizationId: number;
  projectId: number;
  applicationId: number;
  eventId: number;
  userId: number;
  listId: number;
  occurrenceId: string;
}

export interface PathNames {
  org?: string;
  prj?: string;
  app?: string;
  evt?: string;
  username?: string;
  pk?: string;
  occurrence?: string;
  delivery?: string;
  message?: string;
  key?: string;
  channel?: string;
  notification?: string;
  member?: string;
  name?: string;
  value?: string;
}

export interface ScopeKey {
  id: number;
  name: string;
  permissions: readonly string[];
  /** It reaches every organization. */
  isOperator: boolean;
  /** The branch the key is bound to; null is unbound. Lists show only what lies in it. */
  projectId: number | null;
  applicationId: number | null;
  expiresAt: Date | null;
  /** Requests a second; null: no limit. */
  rateLimit: number | null;
}

const SCOPE = Symbol('scope');
type Scoped = Request & { [SCOPE]?: Scope };

export function setScope(request: Request, scope: Scope): true {
  scope.requestId = requestId(request);
  (request as Scoped)[SCOPE] = scope;
  return true;
}

export const actorOf = ({ key, requestId: request }: Scope): Actor => ({ key: key.id, actor: key.name, request });

export const CurrentScope = createParamDecorator((_: unknown, context: ExecutionContext): Scope => {
  const scope = context.getArgByIndex<Scoped>(0)[SCOPE];
  if (!scope) throw new Error('a public route has no scope');
  return scope;
});
