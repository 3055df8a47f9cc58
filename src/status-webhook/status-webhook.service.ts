import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { invalid, notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { isForeignKeyViolation } from '../prisma/pg-error.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { MASK } from '../secret/mask.js';
import { SecretBox } from '../secret/secret-box.js';
import { findStatusWebhook, putStatusWebhook, removeStatusWebhook } from './put-status-webhook.js';
import { placeOfStatusSecret } from './status-webhook.js';
import type { StatusOutcome } from './status-webhook.js';
import type { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';

@Injectable()
export class StatusWebhookService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  async get({ applicationId, organizationId }: Scope): Promise<StatusWebhookDto> {
    const row = await this.prisma.statusWebhook.findFirst({ where: { applicationId, organizationId } });
    if (!row) throw notFound('status webhook');
    return { url: row.url, secret: MASK, outcomes: row.outcomes as StatusOutcome[], enabled: row.enabled };
  }

  async put(scope: Scope, body: PutStatusWebhookDto): Promise<StatusWebhookDto> {
    try {
      await this.database.change(actorOf(scope), async (client) => {
        const stored = (await findStatusWebhook(client, scope))?.secret;
        const secret = body.secret === MASK ? this.open(scope, stored) : body.secret;
        const put = await putStatusWebhook(client, this.secrets, scope, { ...body, secret });
        if ('errors' in put) throw invalid(put.errors);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('application');
      throw error;
    }
    return this.get(scope);
  }

  async remove(scope: Scope): Promise<void> {
    const removed = await this.database.change(actorOf(scope), (client) => removeStatusWebhook(client, scope));
    if (!removed) throw notFound('status webhook');
  }

  private open({ organizationId, applicationId }: Scope, sealed: string | undefined): string {
    if (sealed === undefined) throw invalid({ secret: ['is masked, and there is no secret to keep'] });
    try {
      return this.secrets.open(sealed, placeOfStatusSecret(organizationId, applicationId));
    } catch {
      throw invalid({ secret: ['can no longer be read: set it anew'] });
    }
  }
}
