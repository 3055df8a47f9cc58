import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { uuidBound } from '../../platform/field/uuid-v7.js';
import { Database } from '../../platform/database/database.js';
import { MAX_COUNT, MAX_TRIGGERS } from './summary.dto.js';
import type { MinuteDto, SummaryDto, SwitchedOffDto } from './summary.dto.js';
import { WaitingWork } from './waiting-work.js';
import {
  DEAD_DELIVERIES,
  HELD_OCCURRENCES,
  OLDEST_JOB,
  RESTING_CHANNELS,
  SWITCHED_OFF,
  TRIGGERS_PER_MINUTE,
  WAITING,
} from './summary.sql.js';

const DAY_MS = 24 * 3_600_000;
const MAX_SWITCHES = 100;
const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Small statements, one after the other: a summary needs one connection. Each reads an index that holds only what it looks for. */
@Injectable()
export class SummaryService {
  constructor(
    private readonly database: Database,
    private readonly work: WaitingWork,
  ) {}

  async get({ organizationId }: Scope): Promise<SummaryDto> {
    const firstId = uuidBound(Date.now() - DAY_MS);
    return {
      held_occurrences: await this.count('held-occurrences', HELD_OCCURRENCES, [organizationId, MAX_COUNT]),
      dead_deliveries: await this.count('dead-deliveries', DEAD_DELIVERIES, [organizationId, MAX_COUNT, firstId]),
      resting_channels: await this.count('resting-channels-of', RESTING_CHANNELS, [organizationId]),
      switched_off: await this.switchedOff(organizationId),
      ...(await this.waiting(organizationId)),
      sending: await this.work.sending(organizationId),
      waiting: await this.work.waiting(organizationId),
      failing_channels: await this.work.failing(organizationId),
      oldest_job_seconds: await this.oldestJob(organizationId),
      triggers_per_minute: await this.triggers(organizationId, Date.now()),
    };
  }

  private async waiting(organizationId: number) {
    const values = [organizationId, MAX_COUNT];
    const { rows } = await this.database.query<{ triggers: number; messages: number }>('waiting', WAITING, values);
    return { waiting_triggers: rows[0]!.triggers, waiting_messages: rows[0]!.messages };
  }

  private async count(name: string, text: string, values: unknown[]): Promise<number> {
    return (await this.database.query<{ count: number }>(name, text, values)).rows[0]!.count;
  }

  private async switchedOff(organizationId: number): Promise<SwitchedOffDto[]> {
    const values = [organizationId, MAX_SWITCHES];
    return (await this.database.query<SwitchedOffDto>('switched-off', SWITCHED_OFF, values)).rows;
  }

  /** The last minute is the current one. */
  private async triggers(organizationId: number, now: number): Promise<MinuteDto[]> {
    const first = Math.floor(now / MINUTE_MS) - MINUTES + 1;
    const starts = Array.from({ length: MINUTES + 1 }, (_, i) => (first + i) * MINUTE_MS);
    const values = [organizationId, starts.map(uuidBound), MAX_TRIGGERS];
    const { rows } = await this.database.query<{ count: number }>('triggers-per-minute', TRIGGERS_PER_MINUTE, values);
    return rows.map(({ count }, i) => ({ minute: new Date(starts[i]!).toISOString(), triggers: count }));
  }

  private async oldestJob(organizationId: number): Promise<number | null> {
    const { rows } = await this.database.query<{ seconds: number | null }>('oldest-job', OLDEST_JOB, [organizationId]);
    const { seconds } = rows[0]!;
    return seconds === null ? null : Math.max(seconds, 0);
  }
}
