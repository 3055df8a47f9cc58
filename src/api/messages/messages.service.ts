import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import type { Messages } from '../../rules/language/messages.js';
import { readMessages } from '../../rules/language/read-messages.js';
import type { MessagesDto, PutMessagesDto } from './messages.dto.js';
import { putMessages } from './messages.write.js';

@Injectable()
export class MessagesService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async get({ organizationId, projectId }: Scope, client: Transaction = this.prisma): Promise<MessagesDto> {
    const where = { id: projectId, organizationId };
    const row = await client.project.findFirst({ where, select: { messages: true } });
    if (!row) throw notFound('project');
    return { messages: (row.messages ?? {}) as Messages };
  }

  async put(scope: Scope, { messages }: PutMessagesDto): Promise<MessagesDto> {
    const read = readMessages(messages);
    if ('errors' in read) throw invalid(read.errors);
    return this.prisma.change(actorOf(scope), async (tx) => {
      // Before anything is read: two requests with the same version cannot both change it.
      await lockRows(tx, 'projects', [scope.projectId], 'no key update');
      await requireMatch(scope.ifMatch, () => this.get(scope, tx));
      const put = await putMessages(tx, scope.projectId, read.messages, { quotas: this.config.quotas });
      if ('errors' in put) throw invalid(put.errors);
      return this.get(scope, tx);
    });
  }
}
