import { Injectable } from '@nestjs/common';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import { newKid, newSigningSecret, signingSecretContext } from '../../auth/recipient/signing-secret.js';
import { MAX_TOKEN_SECONDS, RECIPIENT_SCOPES, USUAL_SCOPES, signToken } from '../../auth/recipient/token.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { readDuration } from '../../platform/field/duration.js';
import { conflict, invalidField, notFound } from '../../platform/http/problem.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { CreateRecipientTokenDto, RecipientTokenDto } from './recipient-token.dto.js';
import { HELD_SECRET, HOLD_SECRET, RECIPIENT } from './recipient-token.sql.js';

const HELD_NAME = 'Tokens that the service signs';

interface Held {
  kid: string;
  /** Encrypted. */
  secret: string;
}

@Injectable()
export class RecipientTokenService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly box: SecretBox,
    private readonly keys: ApiKeyStore,
  ) {}

  async create(scope: Scope, { scopes = [...USUAL_SCOPES], ...body }: CreateRecipientTokenDto) {
    const seconds = secondsOf(body.expires_in === undefined ? '1h' : body.expires_in);
    const { organizationId, userId, key, path } = scope;
    const { rows } = await this.database.query<{ email: string; locked: boolean }>('recipient', RECIPIENT, [
      organizationId,
      userId,
    ]);
    if (!rows[0]) throw notFound('user');
    if (rows[0].locked) throw conflict('The user is locked, so a token would not work. Unlock the user first.');
    // Without this check, a key that was just revoked could create a token.
    await this.keys.requireUnchanged(key);
    const { kid, secret } = await this.held(scope);
    const now = Math.floor(Date.now() / 1000);
    const end = key.expiresAt ? Math.floor(key.expiresAt.getTime() / 1000) : Infinity;
    const exp = Math.min(now + seconds, end);
    const wanted = RECIPIENT_SCOPES.filter((each) => scopes.includes(each));
    const claims = { org: path.org!, sub: rows[0].email, scope: wanted.join(' '), iat: now, exp, uid: userId };
    const token = signToken(claims, kid, this.opened(secret, signingSecretContext(organizationId, kid)));
    return { token, expires_at: new Date(exp * 1000).toISOString(), scopes: wanted } satisfies RecipientTokenDto;
  }

  private opened(secret: string, place: string): string {
    try {
      return this.box.open(secret, place);
    } catch (error) {
      throw conflict(`${(error as Error).message}: or revoke the signing secret that is held by the service`);
    }
  }

  /** The secret of the organization that the service signs with. It is created when it is first needed, and after it was revoked. */
  private async held(scope: Scope): Promise<Held> {
    const { organizationId } = scope;
    const find = async () => (await this.database.query<Held>('held-secret', HELD_SECRET, [organizationId])).rows[0];
    const found = await find();
    if (found) return found;
    const kid = newKid();
    const secret = this.box.seal(newSigningSecret(), signingSecretContext(organizationId, kid));
    try {
      await this.prisma.change(actorOf(scope), (tx) =>
        tx.$executeRawUnsafe(HOLD_SECRET, organizationId, kid, HELD_NAME, secret),
      );
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('organization');
      throw error;
    }
    // Of two requests that come here at once, one has created it.
    const held = await find();
    if (!held) throw conflict('The signing secret was revoked in this moment. Send the request again.');
    return held;
  }
}

function secondsOf(value: unknown): number {
  const read = readDuration(value);
  if ('seconds' in read && read.seconds <= MAX_TOKEN_SECONDS) return read.seconds;
  throw invalidField('expires_in', 'invalid_format', 'must be a duration from 1s to 24h, such as 15m or 1h');
}
