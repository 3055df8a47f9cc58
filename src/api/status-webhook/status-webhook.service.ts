import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { destinationOf } from '../../dispatcher/config-fields.js';
import { etagCovers } from '../../platform/http/etag/etag.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MASK } from '../../platform/secret/mask.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { Put } from '../resource/put.js';
import { Resources } from '../resource/resources.js';
import { findStatusWebhook, putStatusWebhook, removeStatusWebhook } from './status-webhook.write.js';
import { statusSecretContext } from '../../engine/report/status-webhook.js';
import type { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';

const URL_KIND = { kind: 'url' } as const;

@Injectable()
export class StatusWebhookService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly secrets: SecretBox,
    private readonly resources: Resources,
  ) {}

  async get(scope: Scope): Promise<StatusWebhookDto> {
    const found = await this.find(this.prisma, scope);
    if (!found) throw notFound('status webhook');
    return found;
  }

  async put(scope: Scope, body: PutStatusWebhookDto): Promise<StatusWebhookDto> {
    const change = { ...this.versionOf(scope), put: (tx: Transaction) => this.write(tx, scope, body) };
    return (await this.resources.update(scope, scope.applicationId, change))!;
  }

  async remove(scope: Scope): Promise<void> {
    const remove = async (tx: Transaction) => {
      if (!(await removeStatusWebhook(tx, scope))) throw notFound('status webhook');
    };
    await this.resources.remove(scope, scope.applicationId, { ...this.versionOf(scope), remove });
  }

  private versionOf(scope: Scope) {
    const lock = async (tx: Transaction) => {
      const [found] = await lockRows(tx, 'applications', [scope.applicationId], 'no key update');
      if (found === undefined) throw notFound('application');
    };
    return { noun: 'status webhook', lock, read: (tx: Transaction) => this.find(tx, scope) } as const;
  }

  /** The ETag covers the stored secret, which the response masks. */
  private async find(client: Transaction, { applicationId, organizationId }: Scope): Promise<StatusWebhookDto | null> {
    const row = await findStatusWebhook(client, { applicationId, organizationId });
    return row && etagCovers({ ...row, secret: MASK }, row);
  }

  private async write(tx: Transaction, scope: Scope, body: PutStatusWebhookDto): Promise<Put> {
    const stored = await findStatusWebhook(tx, scope);
    const isMoved = stored !== null && destinationOf(URL_KIND, body.url) !== destinationOf(URL_KIND, stored.url);
    if (body.secret === MASK && isMoved)
      throw invalidField(
        'secret',
        'required',
        'must be sent again: with the new url, the secret goes to another place',
      );
    const secret = body.secret === MASK ? this.open(scope, stored?.secret) : body.secret;
    return putStatusWebhook({ tx, secrets: this.secrets }, scope, { ...body, secret });
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
