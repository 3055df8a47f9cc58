import { Injectable } from '@nestjs/common';
import { MuteTokens } from '../../../engine/unsubscribe/mute-token.js';
import { Database } from '../../../platform/database/database.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import { lockRows } from '../../../platform/database/transaction.js';
import { mutedValueIn } from '../../../rules/ruleset/choices.js';
import { muteThreads } from '../../preference/mute/mute.js';
import type { ThreadOf } from '../../preference/mute/mute.js';
import { RecipientService } from '../recipient.service.js';
import type { PageRecipient } from '../recipient.service.js';
import { FIND_MUTABLE, MUTED_UNTIL } from './mute-page.sql.js';

interface MutableRow {
  userId: number;
  application: number;
  /** Null: the notification has no thread. */
  field: string | null;
  context: unknown;
  /** Whether users can refuse the message. */
  isOpen: boolean;
}

/** The user of a link to mute, and what it mutes. */
export interface MutingRecipient extends PageRecipient {
  thread: ThreadOf;
  /** Null: it is not muted. */
  mutedUntil: Date | null;
}

/** What users mute with the link of a message. The token is the only proof of who they are. */
@Injectable()
export class MutePageService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly tokens: MuteTokens,
    private readonly recipients: RecipientService,
  ) {}

  /** Null: the token is wrong, its user or message is gone, or nobody can refuse the message any more. */
  async find(token: string): Promise<MutingRecipient | null> {
    const owner = this.tokens.verify(token);
    if (!owner) return null;
    const { organizationId, delivery } = owner;
    const { rows } = await this.database.query<MutableRow>('find-mutable', FIND_MUTABLE, [delivery, organizationId]);
    const [row] = rows;
    const value = row?.isOpen && row.field !== null ? mutedValueIn(row.context, row.field) : null;
    if (!row || value === null) return null;
    const { userId, application } = row;
    const recipient = await this.recipients.recipientOf({ organizationId, userId, categoryId: 0 });
    const thread = { application, field: row.field!, value };
    return recipient && { ...recipient, thread, mutedUntil: await this.mutedUntil(userId, thread) };
  }

  /** Muting again changes nothing. */
  async mute(recipient: MutingRecipient, request: string): Promise<void> {
    if (recipient.mutedUntil === null) await this.change(recipient, 'link', request);
  }

  async undo(recipient: MutingRecipient, request: string): Promise<void> {
    if (recipient.mutedUntil !== null) await this.change(recipient, null, request);
  }

  private async change(recipient: MutingRecipient, chosenBy: 'link' | null, request: string): Promise<void> {
    await this.prisma.change({ actor: 'mute link', request }, async (tx) => {
      await lockRows(tx, 'users', [recipient.userId], 'no key update');
      await muteThreads(tx, recipient, [recipient.thread], chosenBy);
    });
  }

  private async mutedUntil(userId: number, { application, field, value }: ThreadOf): Promise<Date | null> {
    const values = [userId, application, field, value];
    const { rows } = await this.database.query<{ endsAt: Date }>('muted-until', MUTED_UNTIL, values);
    return rows[0]?.endsAt ?? null;
  }
}
