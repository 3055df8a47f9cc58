import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../platform/config/config.js';
import type { Config } from '../platform/config/config.js';
import type { Quotas } from '../platform/config/quota.js';
import { emailKey } from '../platform/field/email.js';
import { positiveInt } from '../platform/field/positive-int.js';
import { isUuid } from '../platform/field/uuid-v7.js';
import {
  forbidden,
  notFound,
  outOfReach,
  tooManyTriggers,
  unauthorized,
  unavailable,
} from '../platform/http/problem.js';
import { Database } from '../platform/database/database.js';
import { StoredBytes } from './quota/stored-bytes.js';
import { hashSecret, isWellFormed } from './api-key.js';
import { OTHER_CELLS } from './other-cells.js';
import type { ForeignKey, OtherCells } from './other-cells.js';
import type { Permission } from './permission.js';
import { RateLimits } from './quota/rate-limit.js';
import type { Answer } from './quota/rate-limit.js';
import type { RecipientScope } from './recipient/token.js';
import type { Reach, Spending } from './require-permission.decorator.js';
import { Scope } from './scope.js';
import type { PathIds, PathNames, SignedInBy } from './scope.js';
import {
  RESOLVE_BRANCH,
  RESOLVE_LEAF,
  RESOLVE_SESSION_BRANCH,
  RESOLVE_SESSION_LEAF,
  TOUCH_API_KEYS,
} from './scope.sql.js';

/** The path parameters from the root down: the id that each resolves to, and its noun in a 404. */
const LEVELS = [
  ['org', 'organizationId', 'organization'],
  ['prj', 'projectId', 'project'],
  ['app', 'applicationId', 'application'],
  ['evt', 'eventId', 'event'],
  ['username', 'userId', 'user'],
  ['pk', 'listId', 'distribution list'],
  ['occurrence', 'occurrenceId', 'occurrence'],
] as const;

interface ScopeRow extends PathIds {
  key_id: number;
  key_name: string;
  permissions: string[];
  hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
  key_organization_id: number | null;
  rate_limit: number | null;
  rate_limit_of: number | null;
  key_project_id: number | null;
  key_application_id: number | null;
  /** When the keys that it creates expire at the latest. */
  lasts_until: Date | null;
  via: SignedInBy | null;
  parent_id: number | null;
  /** The quotas that apply; null: the path names no organization. */
  quotas: Quotas | null;
  stored_bytes: number;
  /** Of the event; null: it has none, or the path names no event. */
  resolves_event: string | null;
}

/** The requirements of an operation on its key, or on the recipient token that may be sent instead of a key. */
export interface Needs {
  /** Null: any key may call it. */
  permission: Permission | null;
  reach?: Reach;
  spends?: Spending;
  /** Whether the body is stored. */
  stores?: boolean;
  /** Undefined: no recipient token reaches it. */
  recipientScope?: RecipientScope;
}

/** How long a resolved key is cached. After a revocation, other processes may accept the key for this long. */
const CACHE_MS = 5000;
const TOUCH_MS = 60_000;
const MAX_TOUCHED = 100_000;

/** A key in a header, or a session in a cookie. */
type CredentialKind = 'key' | 'session';

/** Name and text of the statements. */
const RESOLVE: Record<CredentialKind, Record<'branch' | 'leaf', [name: string, sql: string]>> = {
  key: { branch: ['resolve-branch', RESOLVE_BRANCH], leaf: ['resolve-leaf', RESOLVE_LEAF] },
  session: {
    branch: ['resolve-session-branch', RESOLVE_SESSION_BRANCH],
    leaf: ['resolve-session-leaf', RESOLVE_SESSION_LEAF],
  },
};

const NOT_VALID = { key: 'The API key is not valid.', session: 'The session has ended. Sign in again.' };

/** Random, so that the keys of many tenants that were first used in the same second are not all looked up again in the same second. */
const cacheMs = () => CACHE_MS * (0.6 + 0.4 * Math.random());

/** Resolves the key and the path of a request, and checks both. Needs at most one query per request, none on a cache hit. */
@Injectable()
export class ScopeService {
  private readonly cache = new LRUCache<string, ScopeRow>({ max: 10_000 });
  /** Keys that do not exist. A client that repeats a wrong key costs no query each time. */
  private readonly unknown = new LRUCache<string, true>({ max: 10_000, ttl: CACHE_MS });
  private readonly limits = new RateLimits();
  /** By organization. */
  private readonly triggers = new RateLimits();
  private readonly touched = new Map<number, number>();
  private readonly toTouch: number[] = [];
  private touching: Promise<void> | undefined;
  private epoch = 0;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredBytes,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() @Inject(OTHER_CELLS) private readonly otherCells?: OtherCells,
  ) {}

  /** Returns no promise on a cache hit: a promise would be a good part of the cost of such a request. */
  resolve(
    secret: string,
    needs: Needs,
    path: PathNames,
    answer: Answer,
    kind: CredentialKind = 'key',
    address = '',
  ): Scope | Promise<Scope> {
    const hash = hashSecret(secret, kind);
    const cacheKey = cacheKeyOf(hash, path);
    const row = this.cache.get(cacheKey);
    if (row) return this.admit(row, needs, path, answer);
    // Checked only on a cache miss: a malformed key is never in the cache.
    if (!isWellFormed(secret, kind) || this.unknown.has(hash)) throw unauthorized(NOT_VALID[kind]);
    return this.resolveUncached(hash, cacheKey, needs, path, answer, kind, address);
  }

  private async resolveUncached(
    hash: string,
    cacheKey: string,
    needs: Needs,
    path: PathNames,
    answer: Answer,
    kind: CredentialKind,
    address: string,
  ): Promise<Scope> {
    const bytes = Buffer.from(hash, 'hex');
    const { epoch } = this;
    const row = (await this.load(bytes, path, kind)) ?? (await this.loadForeign(bytes, path, kind, address));
    if (!row || !timingSafeEqual(row.hash, bytes)) {
      this.unknown.set(hash, true);
      throw unauthorized(NOT_VALID[kind]);
    }
    const scope = this.admit(row, needs, path, answer);
    // A row that was read before a revocation must not be cached after it.
    if (epoch === this.epoch) this.cache.set(cacheKey, row, { ttl: cacheMs() });
    return scope;
  }

  private admit(row: ScopeRow, { permission, reach, spends }: Needs, path: PathNames, answer: Answer): Scope {
    if (row.revoked_at) throw unauthorized('The API key has been revoked.');
    if (row.expires_at && row.expires_at.getTime() <= Date.now())
      throw unauthorized(row.via === null ? 'The API key has expired.' : NOT_VALID.session);
    if (row.rate_limit !== null) this.limits.count(row.rate_limit_of ?? row.key_id, row.rate_limit, answer);
    if (permission !== null && !row.permissions.includes(permission)) throw forbidden(permission);
    if (reach && !reaches(row, reach)) throw outOfReach(reach);
    for (const [name, id, noun] of LEVELS) {
      if (path[name] !== undefined && row[id] === null) throw notFound(noun);
    }
    if (spends) this.spend(row, spends);
    this.touch(row.key_id);
    return toScope(row, path);
  }

  /** Quotas of the organization, whichever of its keys is used. */
  private spend({ organizationId, quotas }: ScopeRow, spends: Spending): void {
    if (organizationId === null || quotas === null) return;
    if (spends === 'trigger') return this.spendTrigger(organizationId, quotas);
    this.stored.requireSpace(organizationId, quotas);
  }

  /** Also for a trigger that does not come over HTTP. */
  spendTrigger(organizationId: number, quotas: Quotas): void {
    const { waitMs } = this.triggers.take(organizationId, quotas.triggers_per_second);
    if (waitMs > 0) throw tooManyTriggers(quotas.triggers_per_second, Math.ceil(waitMs / 1000));
    this.stored.requireSpace(organizationId, quotas);
  }

  /** Forgets a revoked key or an ended session, so that this process refuses it at once. With a key go its sessions. */
  forget(keyId: number): void {
    this.epoch++;
    for (const [cacheKey, row] of this.cache.entries())
      if (row.key_id === keyId || row.parent_id === keyId) this.cache.delete(cacheKey);
  }

  /** Call it after a deletion: another resource may soon have the same name. */
  forgetAll(): void {
    this.epoch++;
    this.cache.clear();
  }

  private async load(hash: Buffer, path: PathNames, kind: CredentialKind): Promise<ScopeRow | undefined> {
    const branch = [hash, ...[path.org, path.prj, path.app, path.evt].map(plain)];
    const isBranch = (path.username ?? path.pk ?? path.occurrence) === undefined;
    const { rows } = await (isBranch
      ? this.database.query<ScopeRow>(...RESOLVE[kind].branch, branch)
      : this.database.query<ScopeRow>(...RESOLVE[kind].leaf, [...branch, ...leafOf(path)]));
    const [row] = rows;
    if (row && row.organizationId !== null) {
      row.quotas = { ...this.config.quotas, ...row.quotas };
      this.stored.read(row.organizationId, row.stored_bytes);
    }
    return row;
  }

  /**
   * A key that another cell has. It reaches nothing here, but is refused as it would be if there were only one cell: nobody can tell an
   * organization of another cell from one that does not exist.
   */
  private async loadForeign(hash: Buffer, path: PathNames, kind: CredentialKind, address: string) {
    const key = await this.otherCells?.find(hash.toString('hex'), address);
    if (!key) return undefined;
    // An operator's was copied just now.
    if (key.organizationId === null) return this.load(hash, path, kind);
    if (path.org === key.slug) throw unavailable('The organization lives in another cell. Try again in a moment.');
    const isSession = key.row.via !== null;
    return key.isLive && isSession === (kind === 'session') ? foreignRow(key, hash) : undefined;
  }

  /** Stores the time of the last use, at most once a minute per key. Requests do not wait for it: keys used meanwhile share the next statement. */
  private touch(keyId: number): void {
    const now = Date.now();
    if (now - (this.touched.get(keyId) ?? 0) < TOUCH_MS) return;
    // Sessions come and go, and each would stay here.
    if (this.touched.size >= MAX_TOUCHED) this.touched.clear();
    this.touched.set(keyId, now);
    this.toTouch.push(keyId);
    this.touching ??= this.writeTouched();
  }

  private async writeTouched(): Promise<void> {
    while (this.toTouch.length > 0) {
      const keys = this.toTouch.splice(0);
      await this.database.query('touch-api-keys', TOUCH_API_KEYS, [keys]).catch(() => {
        for (const key of keys) this.touched.delete(key);
      });
    }
    this.touching = undefined;
  }
}

const NO_IDS: PathIds = {
  ...{ organizationId: null, projectId: null, applicationId: null, eventId: null },
  ...{ userId: null, listId: null, occurrenceId: null },
};

const dateOf = (time: unknown) => (typeof time === 'string' ? new Date(time) : null);

function foreignRow({ row, permissions, organizationId, lastsUntil }: ForeignKey, hash: Buffer): ScopeRow {
  const key = row as Record<string, number | null> & { name: unknown; via: unknown };
  return {
    ...NO_IDS,
    ...{ key_id: Number(key.id), key_name: String(key.name), permissions, hash, key_organization_id: organizationId },
    ...{ expires_at: dateOf(row.expires_at), revoked_at: dateOf(row.revoked_at), lasts_until: dateOf(lastsUntil) },
    ...{ rate_limit: key.rate_limit ?? null, rate_limit_of: key.rate_limit_of ?? null },
    ...{ key_project_id: key.project_id ?? null, key_application_id: key.application_id ?? null },
    ...{ via: key.via as SignedInBy | null, parent_id: key.parent_id ?? null, quotas: null, stored_bytes: 0 },
    resolves_event: null,
  };
}

/** PostgreSQL accepts no NUL in a parameter, and no stored name contains one: a name with a NUL matches nothing. */
const plain = (text: string | undefined) => (text === undefined || text.includes('\u0000') ? null : text);

function leafOf({ username, pk, occurrence }: PathNames) {
  const email = plain(username);
  return [
    email === null ? null : emailKey(email),
    pk === undefined ? null : positiveInt(pk),
    occurrence !== undefined && isUuid(occurrence) ? occurrence : null,
  ];
}

const reaches = (row: ScopeRow, reach: Reach) =>
  ({
    service: row.key_organization_id === null,
    organization: row.key_project_id === null,
    project: row.key_application_id === null,
  })[reach];

/** Different paths have different cache keys: no name is empty, and a name with a NUL matches nothing, so it is never cached. */
function cacheKeyOf(hash: string, path: PathNames): string {
  let key = hash;
  for (const [name] of LEVELS) key += `\0${path[name] ?? ''}`;
  return key;
}

function toScope(row: ScopeRow, path: PathNames): Scope {
  const key = {
    id: row.key_id,
    name: row.key_name,
    permissions: row.permissions,
    isOperator: row.key_organization_id === null,
    organizationId: row.key_organization_id,
    projectId: row.key_project_id,
    applicationId: row.key_application_id,
    expiresAt: row.lasts_until,
    via: row.via,
    parentId: row.parent_id,
    rateLimit: row.rate_limit,
    rateLimitOf: row.rate_limit_of ?? row.key_id,
  };
  return new Scope(key, path, row, row.quotas, null, row.resolves_event);
}
