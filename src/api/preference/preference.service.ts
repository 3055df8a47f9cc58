import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { openLists, putListChanges, readListChanges } from '../distribution-list/open/open-lists.js';
import type { PreferencesDto, ChangePreferencesDto } from './preference.dto.js';
import { putMutedThreads } from './mute/mute.js';
import { putPreferences } from './preference.write.js';
import { readChoices } from './read-choices.js';
import { readMatrix } from './read-matrix.js';

@Injectable()
export class PreferenceService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** A key that is bound to a project or an application sees nothing of others, and a user nothing of projects that never reach them. */
  get({ organizationId, userId, key, recipient }: Scope, client: Transaction = this.prisma): Promise<PreferencesDto> {
    const { projectId, applicationId } = key;
    return readMatrix(client, this.dispatchers, {
      ...{ organizationId, userId, projectId, applicationId },
      isOwn: recipient !== null,
    });
  }

  async update(
    scope: Scope,
    { lists, muted_threads: muted, ...choices }: ChangePreferencesDto,
  ): Promise<PreferencesDto> {
    const { organizationId, userId } = scope;
    const read = readChoices(choices, this.dispatchers);
    if ('errors' in read) throw invalid(read.errors);
    return this.prisma.change(actorOf(scope), async (tx) => {
      // Two requests for the same user follow each other: otherwise both could store the last choice that is allowed.
      const [user] = await lockRows(tx, 'users', [userId], 'no key update');
      if (user === undefined) throw notFound('user');
      await requireMatch(scope.ifMatch, () => this.get(scope, tx));
      const chosenBy = scope.recipient ? 'person' : 'key';
      const put = await putPreferences(tx, organizationId, [{ userId, wishes: read.wishes }], { chosenBy });
      if ('refused' in put) throw invalid(put.refused[0]!.errors);
      if (lists) await this.join(tx, scope, lists);
      const refused = muted && (await putMutedThreads(tx, scope, muted, chosenBy));
      if (refused) throw invalid(refused);
      return this.get(scope, tx);
    });
  }

  private async join(tx: Transaction, scope: Scope, lists: Record<string, unknown>): Promise<void> {
    const read = readListChanges(lists, await openLists(tx, scope));
    if ('errors' in read) throw invalid(read.errors);
    await putListChanges(tx, scope, read.changes);
  }
}
