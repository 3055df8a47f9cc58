import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Quotas } from '../platform/config/quota.js';
import { setTenant } from '../platform/http/limit/tenant.js';
import { forbidden } from '../platform/http/problem.js';
import { requestId } from '../platform/http/request-id.js';
import type { Actor } from '../platform/database/actor.js';
import type { Permission } from './permission.js';

/** The resolved ids of everything that a path can name; null: the path does not name it. */
export interface PathIds {
  organizationId: number | null;
  projectId: number | null;
  applicationId: number | null;
  eventId: number | null;
  userId: number | null;
  listId: number | null;
  occurrenceId: string | null;
}

/**
 * The key of a request, and the ids of everything that its path names. The guard resolves the scope before any controller runs, and
 * every query starts from it.
 *
 * Asking for an id that the path does not name throws: it is a mistake in our code. Such an id must never reach a query, because
 * Prisma reads `undefined` in a `where` as "any". The getters are on the prototype, so an access allocates nothing. A spread does
 * not copy them: TypeScript refuses to read an id of such a copy.
 */
export class Scope {
  requestId = '';
  /** The address of the client. */
  address = '';
  /** The header `If-Match`: the version that the client wants to change. */
  ifMatch: string | null = null;

  constructor(
    readonly key: ScopeKey,
    /** The names in the path, as the caller wrote them. */
    readonly path: PathNames,
    private readonly ids: PathIds,
    private readonly pathQuotas: Quotas | null = null,
    /** The user whose recipient token was sent instead of a key; null: a key was sent. Such a scope has a key without permissions. */
    readonly recipient: Recipient | null = null,
    /** `resolves_event` of the event in the path: each trigger needs it. */
    readonly resolvesEvent: string | null = null,
  ) {}

  /** For what only some keys are shown. */
  may(permission: Permission): boolean {
    return this.key.permissions.includes(permission);
  }

  /** For a permission that only some requests to a route need. The route itself declares the permission that all of them need. */
  require(permission: Permission): void {
    if (!this.may(permission)) throw forbidden(permission);
  }

  /** The organization whose limits count for the request; null: none. */
  get tenant(): number | null {
    return this.ids.organizationId ?? this.key.organizationId;
  }

  /** Of the organization in the path. */
  get quotas(): Quotas {
    return this.pathQuotas ?? notInPath('organization');
  }

  /** Null: the path names no organization. */
  get quotasOrNull(): Quotas | null {
    return this.pathQuotas;
  }

  get organizationId(): number {
    return this.ids.organizationId ?? notInPath('organization');
  }

  get projectId(): number {
    return this.ids.projectId ?? notInPath('project');
  }

  /** For resources of a project or of the organization itself. Null: the path names no project, so it means the organization's own. */
  get projectIdOrNull(): number | null {
    return this.ids.projectId;
  }

  get applicationId(): number {
    return this.ids.applicationId ?? notInPath('application');
  }

  get eventId(): number {
    return this.ids.eventId ?? notInPath('event');
  }

  get userId(): number {
    return this.ids.userId ?? notInPath('user');
  }

  get listId(): number {
    return this.ids.listId ?? notInPath('distribution list');
  }

  get occurrenceId(): string {
    return this.ids.occurrenceId ?? notInPath('occurrence');
  }
}

function notInPath(noun: string): never {
  throw new Error(`the path of this route names no ${noun}, so its scope has no ${noun} id`);
}

/** The user of a recipient token. */
export interface Recipient {
  userId: number;
  /** The signing secret of the token. */
  secretId: number;
  expiresAt: Date;
}

export interface PathNames {
  org?: string;
  prj?: string;
  app?: string;
  evt?: string;
  username?: string;
  /** Of a user who need not exist. */
  email?: string;
  pk?: string;
  occurrence?: string;
  delivery?: string;
  message?: string;
  key?: string;
  channel?: string;
  layout?: string;
  partial?: string;
  category?: string;
  notification?: string;
  draft?: string;
  member?: string;
  name?: string;
  value?: string;
  /** The app on a device. */
  bundle?: string;
  device?: string;
  suppression?: string;
  upload?: string;
  session?: string;
  secret?: string;
  memberEmail?: string;
}

/** How an operator signed in: with a key, with a sign-in link, or at an OpenID provider. */
export type SignedInBy = 'key' | 'link' | 'oidc';

/** The key of a request, or its session. */
export interface ScopeKey {
  id: number;
  name: string;
  permissions: readonly string[];
  /** Whether it reaches every organization. */
  isOperator: boolean;
  /** The organization that the key is bound to; null: an operator's key. */
  organizationId: number | null;
  /** The project and application that the key is bound to; null: not bound. Lists show nothing outside them. */
  projectId: number | null;
  applicationId: number | null;
  /** When it expires; null: never. Of a session, when its key does: what it creates lasts as long. */
  expiresAt: Date | null;
  /** How an operator signed in; null: it is a key, not a session. */
  via: SignedInBy | null;
  /** The key of a session; null: it has none. */
  parentId: number | null;
  /** Requests a second; null: no limit. */
  rateLimit: number | null;
  /** The key whose limit counts its requests: itself, unless a key with a limit created it. */
  rateLimitOf: number;
}

const SCOPE = Symbol('scope');
type Scoped = Request & { [SCOPE]?: Scope };

export function setScope(request: Request, scope: Scope, address: string): true {
  scope.requestId = requestId(request);
  scope.address = address;
  scope.ifMatch = request.headers['if-match'] ?? null;
  (request as Scoped)[SCOPE] = scope;
  setTenant(request, scope.tenant);
  return true;
}

/** Names the key of a session, because the session itself is soon purged. A recipient token has none. */
export const actorOf = ({ key, recipient, requestId: request, address }: Scope): Actor => ({
  key: recipient ? undefined : (key.parentId ?? key.id),
  actor: key.name,
  request,
  address,
});

export function scopeOf(request: Request): Scope {
  const scope = (request as Scoped)[SCOPE];
  if (!scope) throw new Error('a public route has no scope: give the route @RequirePermission() instead of @Public()');
  return scope;
}

export const CurrentScope = createParamDecorator((_: unknown, context: ExecutionContext): Scope =>
  scopeOf(context.getArgByIndex<Request>(0)),
);
