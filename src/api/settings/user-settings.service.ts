import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { putUserSettings } from './put-settings.js';
import { UserSettingsDto } from './user-settings.dto.js';
import type { UpdateUserSettingsDto } from './user-settings.dto.js';

const only = ({ organizationId, userId }: Scope) => ({ id: userId, organizationId });

@Injectable()
export class UserSettingsService {
  constructor(private readonly prisma: PrismaService) {}

  async get(scope: Scope, client: Transaction = this.prisma): Promise<UserSettingsDto> {
    const select = { timeZone: true, quietHours: true, locale: true } as const;
    const row = await client.user.findUnique({ where: only(scope), select });
    if (!row) throw notFound('user');
    return UserSettingsDto.from(row);
  }

  update(scope: Scope, body: UpdateUserSettingsDto): Promise<UserSettingsDto> {
    return this.prisma.change(actorOf(scope), async (tx) => {
      await requireMatch(scope.ifMatch, async () => {
        await lockRows(tx, 'users', [scope.userId], 'no key update');
        return this.get(scope, tx);
      });
      const errors = await putUserSettings(tx, scope, body);
      if (errors) throw invalid(errors);
      return this.get(scope, tx);
    });
  }
}
