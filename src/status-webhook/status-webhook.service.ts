import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { destinationOf } from '../dispatcher/config-fields.js';
import { invalid, notFound } from '../http/problem.js';
import { isForeignKeyViolation } from '../prisma/database-error.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { MASK } from '../secret/mask.js';
import { SecretBox } from '../secret/secret-box.js';
import { findStatusWebhook, putStatusWebhook, removeStatusWebhook } from './put-status-webhook.js';
import { placeOfStatusSecret } from './status-webhook.js';
import type { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';

const URL_KIND = { kind: 'url' } as const;

@Injectable()
export class StatusWebhookService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly secrets: SecretBox,
  ) {}

  async get({ applicationId, organizationId }: Scope): Promise<StatusWebhookDto> {
    const row = await findStatusWebhook(this.prisma, { applicationId, organizationId });
    if (!row) throw notFound('status webhook');
    return { ...row, secret: MASK };
  }

  async put(scope: Scope, body: PutStatusWebhookDto): Promise<StatusWebhookDto> {
    try {
      await this.prisma.change(actorOf(scope), async (tx) => {
        const stored = await findStatusWebhook(tx, scope);
        const isMoved = stored !== null && destinationOf(URL_KIND, body.url) !== destinationOf(URL_KIND, stored.url);
        if (body.secret === MASK && isMoved)
          throw invalid({ secret: ['must be sent again: with the new url, the secret goes to another place'] });
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
    const removed = await this.prisma.change(actorOf(scope), (tx) => removeStatusWebhook(tx, scope));
    if (!removed) throw notFound('status webhook');
  }

  private open({ organizationId, applicationId }: Scope, sealed: string | undefined): string {
    if (sealed === undefined) throw invalid({ secret: ['is masked, but no secret is stored: send the secret'] });
    try {
      return this.secrets.open(sealed, placeOfStatusSecret(organizationId, applicationId));
    } catch {
      throw invalid({ secret: ['can no longer be decrypted: send it again'] });
    }
  }
}
