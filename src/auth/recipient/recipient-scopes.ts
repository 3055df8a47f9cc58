import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { Quotas } from '../../platform/config/quota.js';
import { emailKey } from '../../platform/field/email.js';
import { notFound, notForRecipients, unauthorized } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { OTHER_CELLS } from '../other-cells.js';
import type { OtherCells } from '../other-cells.js';
import { RateLimits } from '../quota/rate-limit.js';
import type { Answer } from '../quota/rate-limit.js';
import { Scope } from '../scope.js';
import type { PathNames } from '../scope.js';
import { RESOLVE_RECIPIENT } from './recipient.sql.js';
import { signingSecretContext } from './signing-secret.js';
import { readToken } from './token.js';
import type { ReadToken, RecipientScope } from './token.js';

/** Requests a second of one user in this process, with all tokens. */
const MAX_REQUESTS = 20;
/** How long a secret counts as unknown that was not found. */
const UNKNOWN_MS = 5000;

interface RecipientRow {
  secretId: number;
  secret: string;
  isRevoked: boolean;
  organizationId: number;
  slug: string;
  quotas: Quotas;
  /** Null: there is no such user. */
  userId: number | null;
  isLocked: boolean | null;
  createdAt: Date | null;
}

/**
 * Resolves recipient tokens, as `ScopeService` resolves keys. A token reaches only operations that declare its scope, for its own user. Nothing
 * is cached: a revoked secret, and a user that is locked or deleted, count at once in every process, for one index look-up a request.
 */
@Injectable()
export class RecipientScopes {
  private readonly logger = new Logger('Auth');
  /** Kids that do not exist here. Nobody can guess one, but an organization may move here with its own. */
  private readonly unknown = new LRUCache<string, true>({ max: 10_000, ttl: UNKNOWN_MS });
  /** By user. */
  private readonly limits = new RateLimits();

  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() @Inject(OTHER_CELLS) private readonly otherCells?: OtherCells,
  ) {}

  /** `needed`: the scope that the operation declares; undefined: it is not for recipients. */
  async resolve(text: string, needed: RecipientScope | undefined, path: PathNames, answer: Answer): Promise<Scope> {
    const valid = await this.read(text);
    if (!valid) throw refused();
    this.limits.count(valid.row.userId, MAX_REQUESTS, answer, 'recipient');
    return scopeOf(valid.token, valid.row, needed, path);
  }

  /** The user of a token that has the scope; null: there is none. For pages, which show no problems. */
  async userOf(text: string, scope: RecipientScope): Promise<{ organizationId: number; userId: number } | null> {
    const valid = await this.read(text);
    return valid?.token.scopes.includes(scope) ? valid.row : null;
  }

  /** Null: the token is not valid. */
  private async read(text: string): Promise<{ token: ReadToken; row: RecipientRow & { userId: number } } | null> {
    const token = readToken(text);
    const row = token && (await this.rowOf(token));
    if (!row?.userId || row.isRevoked || row.isLocked || row.slug !== token!.org || !token!.isSignedWith(row.secret))
      return null;
    // The user of the token may be gone, and another one may have their address.
    if (!token!.isOf({ id: row.userId, createdAt: row.createdAt! })) return null;
    return { token: token!, row: { ...row, userId: row.userId } };
  }

  private async rowOf({ kid, org, username }: ReadToken): Promise<RecipientRow | undefined> {
    if (this.unknown.has(kid)) return undefined;
    const values = [kid, emailKey(username)];
    const { rows } = await this.database.query<RecipientRow>('resolve-recipient', RESOLVE_RECIPIENT, values);
    if (!rows[0]) {
      await this.otherCells?.refuseWhileMoving(org);
      this.unknown.set(kid, true);
    }
    return rows[0] && this.opened(rows[0], kid);
  }

  private opened(row: RecipientRow, kid: string): RecipientRow | undefined {
    try {
      const secret = this.box.open(row.secret, signingSecretContext(row.organizationId, kid));
      return { ...row, secret, quotas: { ...this.config.quotas, ...row.quotas } };
    } catch (error) {
      this.logger.error({ message: 'cannot check recipient tokens', kid, error: (error as Error).message });
    }
  }
}

/** The same answer for everything that is wrong with a token: it does not help to guess. */
const refused = () => unauthorized('The recipient token is invalid or expired. Get a new one.', 'Bearer');

function scopeOf(
  token: ReadToken,
  row: RecipientRow & { userId: number },
  needed: RecipientScope | undefined,
  path: PathNames,
): Scope {
  if (!needed) throw notForRecipients('A recipient token does not reach this operation. Use an API key.');
  if (!token.scopes.includes(needed)) throw notForRecipients(`The recipient token lacks the scope ${needed}.`);
  if (path.org !== row.slug) throw notFound('organization');
  if (emailKey(path.username ?? '') !== emailKey(token.username)) throw notFound('user');
  const { organizationId, userId, secretId } = row;
  const key = {
    ...{ id: 0, name: 'recipient token', permissions: [], isOperator: false, via: null, parentId: null },
    ...{ organizationId, projectId: null, applicationId: null },
    ...{ expiresAt: token.expiresAt, rateLimit: null, rateLimitOf: 0 },
  };
  const others = { projectId: null, applicationId: null, eventId: null, listId: null, occurrenceId: null };
  const recipient = { userId, secretId, expiresAt: token.expiresAt };
  return new Scope(key, path, { organizationId, userId, ...others }, row.quotas, recipient);
}
