import { Injectable } from '@nestjs/common';
import { codeOf } from '../../../engine/acknowledge/code.js';
import { Database } from '../../../platform/database/database.js';
import type { Rule } from '../../../rules/ruleset/rule.js';
import { resolutionValues } from '../../../rules/thread/resolution.js';
import { LOAD_RESOLUTIONS } from '../../../rules/thread/resolution.sql.js';
import { AcknowledgeService } from '../../occurrence/acknowledge/acknowledge.service.js';
import { FIND_ANSWERED } from './answer.sql.js';
import { readTextAnswer } from './read-text-answer.js';

/** A text message that somebody sent to the number of a channel. */
interface ReceivedText {
  organizationId: number;
  channelId: number;
  /** As it is stored. */
  number: string;
  text: string;
  /** Who told us, and with which request. */
  by: { actor: string; request: string };
}

interface AnsweredRow {
  delivery: string;
  occurrence: string;
  email: string;
  rule: Rule;
  context: unknown;
}

/** Acknowledges with answers by SMS: the newest message to the number, or the one whose code the answer has. */
@Injectable()
export class Answers {
  constructor(
    private readonly database: Database,
    private readonly acknowledgements: AcknowledgeService,
  ) {}

  /** An answer that is no acknowledgement, or that could mean several messages, does nothing. */
  async take({ organizationId, channelId, number, text, by }: ReceivedText): Promise<void> {
    const answer = readTextAnswer(text);
    if (!answer) return;
    const values = [organizationId, channelId, number];
    const { rows } = await this.database.query<AnsweredRow>('find-answered', FIND_ANSWERED, values);
    const open: AnsweredRow[] = [];
    for (const row of rows) if (!(await this.isResolved(row))) open.push(row);
    const named = open.find(({ delivery }) => codeOf(delivery) === answer.code);
    const isOne = new Set(open.map(({ occurrence }) => occurrence)).size === 1;
    const meant = named ?? (isOne ? open[0] : undefined);
    if (!meant) return;
    const { delivery, occurrence: occurrenceId, email: user } = meant;
    const given = { user, note: named ? answer.note : answer.rest, way: 'sms' as const, delivery };
    await this.acknowledgements.store(by, { organizationId, occurrenceId }, given);
  }

  private async isResolved({ occurrence, rule, context }: AnsweredRow): Promise<boolean> {
    const values = resolutionValues(occurrence, [rule], context);
    if (!values) return false;
    return ((await this.database.query('load-resolutions', LOAD_RESOLUTIONS, values)).rowCount ?? 0) > 0;
  }
}
