import { Injectable } from '@nestjs/common';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import { newKid, newSigningSecret, signingSecretContext } from '../../auth/recipient/signing-secret.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, notFound } from '../../platform/http/problem.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { CreatedSigningSecretDto, SigningSecretDto } from './signing-secret.dto.js';
import type { CreateSigningSecretDto } from './signing-secret.dto.js';

/** Secrets of an organization that are not revoked. More are of no use: one for each server, and one more while they change. */
const MAX_SECRETS = 100;

const shown = { id: true, kid: true, name: true, isHeld: true, createdAt: true, revokedAt: true } as const;

@Injectable()
export class SigningSecretService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly box: SecretBox,
    private readonly keys: ApiKeyStore,
  ) {}

  list({ organizationId }: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.signingSecret.findMany({
        where: { organizationId, id: { gt: afterId(after) } },
        orderBy: [{ organizationId: 'asc' }, { id: 'asc' }],
        take,
        select: shown,
      });
    return new Listing(page, read, SigningSecretDto.from, ({ id }) => id);
  }

  async create(scope: Scope, body: CreateSigningSecretDto): Promise<CreatedSigningSecretDto> {
    const { organizationId, key } = scope;
    // Without this check, a key that was just revoked could create a secret.
    await this.keys.requireUnchanged(key);
    const count = await this.prisma.signingSecret.count({ where: { organizationId, revokedAt: null } });
    if (count >= MAX_SECRETS)
      throw conflict(`The organization has ${count} signing secrets, and may have ${MAX_SECRETS}. Revoke one first.`);
    const [kid, text] = [newKid(), newSigningSecret()];
    const secret = this.box.seal(text, signingSecretContext(organizationId, kid));
    const data = { organizationId, kid, name: body.name.trim(), secret };
    try {
      const row = await this.prisma.change(actorOf(scope), (tx) => tx.signingSecret.create({ data, select: shown }));
      return CreatedSigningSecretDto.of(SigningSecretDto.from(row), text);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('organization');
      throw error;
    }
  }

  /** Revoking a secret again changes nothing. */
  async revoke(scope: Scope): Promise<SigningSecretDto> {
    const { organizationId, path } = scope;
    const id = positiveInt(path.secret ?? '');
    if (id === null) throw notFound('signing secret');
    const row = await this.prisma.change(actorOf(scope), async (tx) => {
      await tx.signingSecret.updateMany({
        where: { id, organizationId, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      return tx.signingSecret.findFirst({ where: { id, organizationId }, select: shown });
    });
    if (!row) throw notFound('signing secret');
    return SigningSecretDto.from(row);
  }
}
