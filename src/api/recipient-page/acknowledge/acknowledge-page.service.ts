import { Injectable } from '@nestjs/common';
import { AcknowledgeTokens } from '../../../engine/acknowledge/token.js';
import { Database } from '../../../platform/database/database.js';
import type { Rule } from '../../../rules/ruleset/rule.js';
import { resolutionValues } from '../../../rules/thread/resolution.js';
import { LOAD_RESOLUTIONS } from '../../../rules/thread/resolution.sql.js';
import { AcknowledgeService } from '../../occurrence/acknowledge/acknowledge.service.js';
import { RecipientService } from '../recipient.service.js';
import type { PageRecipient } from '../recipient.service.js';
import { FIND_ASKED } from './acknowledge-page.sql.js';

/** Who acknowledged, as the page shows them. */
export interface AcknowledgedBy {
  email: string;
  firstName: string;
  lastName: string;
  /** Whether it is the user of the link. */
  isOwn: boolean;
  at: string;
  note: string;
}

interface AskedRow {
  userId: number;
  occurrence: string;
  createdAt: Date;
  isCanceled: boolean;
  expiresAt: Date | null;
  context: unknown;
  rule: Rule;
  /** Null: the message is not sent yet. Empty: it has none. */
  subject: string | null;
  acknowledgedBy: AcknowledgedBy | null;
}

/** The user of a link to acknowledge, and what they are asked to acknowledge. */
export interface AskedRecipient extends PageRecipient {
  occurrence: string;
  /** Its id. */
  delivery: string;
  /** The subject of the message, else the name of its notification. */
  title: string;
  createdAt: Date;
  acknowledgedBy: AcknowledgedBy | null;
  state: 'open' | 'acknowledged' | 'canceled' | 'expired' | 'resolved';
}

/** What users acknowledge with the link of a message. The token is the only proof of who they are. */
@Injectable()
export class AcknowledgePageService {
  constructor(
    private readonly database: Database,
    private readonly tokens: AcknowledgeTokens,
    private readonly recipients: RecipientService,
    private readonly acknowledgements: AcknowledgeService,
  ) {}

  /** Null: the token is wrong, or its organization, user or message is gone. */
  async find(token: string): Promise<AskedRecipient | null> {
    const owner = this.tokens.verify(token);
    if (!owner) return null;
    const { organizationId, delivery } = owner;
    const { rows } = await this.database.query<AskedRow>('find-asked', FIND_ASKED, [delivery, organizationId]);
    const [row] = rows;
    const recipient = row && (await this.recipients.recipientOf({ organizationId, userId: row.userId, categoryId: 0 }));
    if (!recipient) return null;
    const { occurrence, rule, subject, createdAt, acknowledgedBy } = row;
    const title = subject || rule.name;
    return { ...recipient, occurrence, delivery, title, createdAt, acknowledgedBy, state: await this.stateOf(row) };
  }

  /** Acknowledging again changes nothing. */
  async acknowledge(asked: AskedRecipient, note: string, request: string): Promise<void> {
    if (asked.state !== 'open') return;
    const { organizationId, occurrence: occurrenceId, email: user, delivery } = asked;
    const by = { actor: 'acknowledge link', request };
    await this.acknowledgements.store(by, { organizationId, occurrenceId }, { user, note, way: 'link', delivery });
  }

  /** Who has acknowledged sees that, whatever came after it. */
  private async stateOf(row: AskedRow): Promise<AskedRecipient['state']> {
    const { acknowledgedBy, isCanceled, expiresAt, occurrence, rule, context } = row;
    if (acknowledgedBy) return 'acknowledged';
    if (isCanceled) return 'canceled';
    if (expiresAt !== null && expiresAt <= new Date()) return 'expired';
    const values = resolutionValues(occurrence, [rule], context);
    const resolved = values && (await this.database.query('load-resolutions', LOAD_RESOLUTIONS, values));
    return resolved?.rowCount ? 'resolved' : 'open';
  }
}
