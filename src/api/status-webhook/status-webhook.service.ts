import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { destinationOf } from '../../dispatcher/config-fields.js';
import { etagCovers, requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MASK } from '../../platform/secret/mask.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { findStatusWebhook, putStatusWebhook, removeStatusWebhook } from './put-status-webhook.js';
import { statusSecretContext } from '../../engine/report/status-webhook.js';
import type { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';

const URL_KIND = { kind: 'url' } as const;

@Injectable()
export class StatusWebhookService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly secrets: SecretBox,
  ) {}

  async get(scope: Scope): Promise<StatusWebhookDto> {
    const found = await this.find(this.prisma, scope);
    if (!found) throw notFound('status webhook');
    return found;
  }

  /** The ETag covers the stored secret, which the answer masks. */
  private async find(client: Transaction, { applicationId, organizationId }: Scope): Promise<StatusWebhookDto | null> {
    const row = await findStatusWebhook(client, { applicationId, organizationId });
    return row && etagCovers({ ...row, secret: MASK }, row);
  }

  private requireMatch(tx: Transaction, scope: Scope): Promise<void> {
    return requireMatch(scope.ifMatch, async () => {
      await lockRows(tx, 'applications', [scope.applicationId], 'no key update');
      return this.find(tx, scope);
    });
  }

  async put(scope: Scope, body: PutStatusWebhookDto): Promise<StatusWebhookDto> {
    try {
      await this.prisma.change(actorOf(scope), async (tx) => {
        await this.requireMatch(tx, scope);
        const stored = await findStatusWebhook(tx, scope);
        const isMoved = stored !== null && destinationOf(URL_KIND, body.url) !== destinationOf(URL_KIND, stored.url);
        if (body.secret === MASK && isMoved)
          throw invalidField(
            'secret',
            'required',
            'must be sent again: with the new url, the secret goes to another place',
          );
        const secret = body.secret === MASK ? this.open(scope, stored?.secret) : body.secret;
        const put = await putStatusWebhook(tx, this.secrets, scope, { ...body, secret });
        if ('errors' in put) throw invalid(put.errors);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('application');
      throw error;
    }
    return this.get(scope);
  }

  async remove(scope: Scope): Promise<void> {
    const removed = await this.prisma.change(actorOf(scope), async (tx) => {
      await this.requireMatch(tx, scope);
      return removeStatusWebhook(tx, scope);
    });
    if (!removed) throw notFound('status webhook');
  }

  private open({ organizationId, applicationId }: Scope, sealed: string | undefined): string {
    if (sealed === undefined)
      throw invalidField('secret', 'required', 'is masked, but no secret is stored: send the secret');
    try {
      return this.secrets.open(sealed, statusSecretContext(organizationId, applicationId));
    } catch {
      throw invalidField('secret', 'required', 'can no longer be decrypted: send it again');
    }
  }
}
