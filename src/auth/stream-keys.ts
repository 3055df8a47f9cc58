import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { EventStreams } from '../platform/http/stream/event-stream.js';
import { Database } from '../platform/database/database.js';
import { VALID_RECIPIENTS } from './recipient/recipient.sql.js';
import type { Recipient } from './scope.js';
import { VALID_KEYS } from './scope.sql.js';
import { keepsRights } from './role/key-rights.js';
import type { ValidKey } from './role/key-rights.js';

/** How often the keys of open streams are checked: one query for all of them. */
const CHECK_MS = 1000;

/**
 * Ends the streams of this process whose key was revoked, has expired, was deleted or has lost a permission or a part of its reach, whichever process did it. So it
 * does with those of recipients whose token has expired, whose signing secret was revoked, or who were deleted or locked.
 * A new stream is checked at once, because a cached key may have admitted it.
 */
@Injectable()
export class StreamKeys implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Http');
  private timer: NodeJS.Timeout | undefined;
  private checking = false;
  private again?: boolean;

  constructor(
    private readonly database: Database,
    private readonly streams: EventStreams,
  ) {}

  onModuleInit(): void {
    this.streams.onOpen = () => void this.check();
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    this.again = true;
    if (this.checking) return;
    this.checking = true;
    try {
      while (this.again) {
        this.again = false;
        await this.endInvalid();
      }
    } catch (error) {
      // Without the database a stream has nothing to send. The next check comes soon.
      this.logger.warn({ message: 'could not check the keys of open streams', error: (error as Error).message });
    } finally {
      this.checking = false;
    }
  }

  private async endInvalid(): Promise<void> {
    await Promise.all([this.endInvalidKeys(), this.endInvalidRecipients()]);
  }

  private async endInvalidKeys(): Promise<void> {
    const open = this.streams.list().filter(([, { recipient }]) => !recipient);
    if (open.length === 0) return;
    const ids = [...new Set(open.map(([, { key }]) => key.id))];
    const { rows } = await this.database.query<ValidKey>('valid-keys', VALID_KEYS, [ids]);
    const valid = new Map(rows.map((row) => [row.id, row]));
    for (const [stream, { key }] of open) {
      const now = valid.get(key.id);
      if (!now || !keepsRights(key, now)) stream.end();
    }
  }

  private async endInvalidRecipients(): Promise<void> {
    const open = this.streams.list().flatMap(([stream, { recipient }]) => (recipient ? [{ stream, recipient }] : []));
    if (open.length === 0) return;
    const values = [open.map(({ recipient }) => recipient.secretId), open.map(({ recipient }) => recipient.userId)];
    const { rows } = await this.database.query<Pair>('valid-recipients', VALID_RECIPIENTS, values);
    const valid = new Set(rows.map(pairOf));
    for (const { stream, recipient } of open)
      if (!valid.has(pairOf(recipient)) || recipient.expiresAt.getTime() <= Date.now()) stream.end();
  }
}

type Pair = Pick<Recipient, 'secretId' | 'userId'>;

const pairOf = ({ secretId, userId }: Pair) => `${secretId}/${userId}`;
