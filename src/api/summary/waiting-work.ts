import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { OccurrenceStatus, Switch } from '../../platform/database/generated/prisma/enums.js';
import { COUNT_FAILING } from '../../platform/queue/paused.sql.js';
import { SENDING } from './sending.sql.js';
import { MAX_COUNT, MAX_LOOKED_AT, MAX_OF_OCCURRENCE } from './summary.dto.js';
import type { FailingChannelDto, SendingOccurrenceDto, WaitingReasonDto } from './summary.dto.js';
import { FAILING_CHANNELS, PATHS, WAITING_BY_REASON } from './waiting.sql.js';

const MAX_SENDING = 5;
const MAX_FAILING = 5;

interface SendingRow extends Omit<SendingOccurrenceDto, 'occurrence' | 'created_at'> {
  id: string;
  status: OccurrenceStatus;
  createdAt: Date;
}

interface WaitingRow extends Pick<WaitingReasonDto, 'reason' | 'triggers' | 'messages'> {
  switch: Switch | null;
  switchId: number | null;
  channelId: number | null;
  since: Date | null;
  until: Date | null;
}

interface FailingRow {
  id: number;
  project: string | null;
  slug: string;
  failingSince: Date | null;
  probeAt: Date | null;
}

/** The work of an organization that is not done yet, read from its jobs: it costs as much as what waits, and stops early. */
@Injectable()
export class WaitingWork {
  constructor(private readonly database: Database) {}

  async sending(organizationId: number): Promise<SendingOccurrenceDto[]> {
    const values = [organizationId, MAX_LOOKED_AT, MAX_SENDING, MAX_OF_OCCURRENCE];
    const { rows } = await this.database.query<SendingRow>('sending', SENDING, values);
    return rows.map(({ id, createdAt, ...row }) => ({ occurrence: id, ...row, created_at: createdAt.toISOString() }));
  }

  async waiting(organizationId: number): Promise<WaitingReasonDto[]> {
    const values = [organizationId, MAX_LOOKED_AT];
    const { rows } = await this.database.query<WaitingRow>('waiting-by-reason', WAITING_BY_REASON, values);
    const found = rows.filter(({ triggers, messages }) => triggers + messages > 0);
    const pathOf = await this.paths(organizationId, found);
    return merged(found).map((row) => ({
      ...{ reason: row.reason, triggers: row.triggers, messages: row.messages },
      ...{ since: row.since?.toISOString() ?? null, until: row.until?.toISOString() ?? null },
      switched_off: row.switch && { kind: row.switch, path: pathOf(row.switch, row.switchId) ?? '' },
      channel: pathOf('channel', row.channelId),
    }));
  }

  /** A channel that fails, but for which nothing waits, needs nobody. */
  async failing(organizationId: number): Promise<FailingChannelDto[]> {
    const values = [organizationId, MAX_FAILING];
    const { rows } = await this.database.query<FailingRow>('failing-channels', FAILING_CHANNELS, values);
    const failing: FailingChannelDto[] = [];
    for (const { id, project, slug, failingSince, probeAt } of rows) {
      type Row = { waiting: number; lastFailure: string | null };
      const counted = await this.database.query<Row>('count-failing', COUNT_FAILING, [id, organizationId, MAX_COUNT]);
      const { waiting, lastFailure } = counted.rows[0]!;
      if (waiting === 0 && !probeAt) continue;
      failing.push({
        ...{ project, channel: slug, failing_since: failingSince?.toISOString() ?? null },
        ...{ next_probe_at: probeAt?.toISOString() ?? null, waiting, last_failure: lastFailure },
      });
    }
    return failing;
  }

  private async paths(organizationId: number, rows: WaitingRow[]) {
    const kinds = rows.flatMap((row) => [row.switch ?? [], row.channelId ? ('channel' as const) : []].flat());
    const ids = rows.flatMap(({ switchId, channelId }) => [switchId ?? [], channelId ?? []].flat());
    type Row = { kind: Switch; id: number; path: string | null };
    const found = kinds.length
      ? (await this.database.query<Row>('paths-of-waiting', PATHS, [kinds, ids, organizationId])).rows
      : [];
    const paths = new Map(found.map(({ kind, id, path }) => [`${kind} ${id}`, path]));
    return (kind: Switch, id: number | null) => paths.get(`${kind} ${id}`) ?? null;
  }
}

/** Triggers and messages that wait for the same are one. */
function merged(rows: WaitingRow[]): WaitingRow[] {
  const byReason = new Map<string, WaitingRow>();
  for (const row of rows) {
    const name = `${row.reason} ${row.switch} ${row.switchId} ${row.channelId}`;
    const same = byReason.get(name);
    byReason.set(name, same ? together(same, row) : row);
  }
  return [...byReason.values()];
}

const together = (a: WaitingRow, b: WaitingRow): WaitingRow => ({
  ...a,
  triggers: a.triggers + b.triggers,
  messages: a.messages + b.messages,
  since: earlier(a.since, b.since),
  until: earlier(a.until, b.until),
});

const earlier = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b));
