import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Database } from '../../platform/database/database.js';
import { uuidBound } from '../../platform/field/uuid-v7.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { COUNT_FAILING, COUNT_WAITING, DISCARD, GIVEN_UP } from '../../platform/queue/paused.sql.js';
import { MAX_FAILING, MAX_WAITING } from './channel.dto.js';
import type { ChannelFailureDto, DiscardedDto, WaitingForChannelDto } from './channel.dto.js';
import { ChannelService, placeOf } from './channel.service.js';

/** Jobs that one transaction discards. */
const BATCH = 5000;

interface Row {
  waiting: number;
  since: Date | null;
  lastFailure?: string | null;
  /** Rows in JSON, whose times are texts. */
  failures?: FailureRow[] | null;
}

interface FailureRow {
  at: Date | string;
  answer: string;
  occurrence: string;
}

const DAY_MS = 24 * 3_600_000;
const MAX_FAILURES = 10;

/** $1: organization, $2: channel, $3: how many messages. */
const AUDIT = `
  select audit_note_as('discard', 'channel', $1, concat_ws('/', p.slug, c.slug), $3)
  from channels c left join projects p on p.id = c.project_id where c.id = $2`;

/** What waits until a channel is switched on, or until its provider works again. */
@Injectable()
export class ChannelWaitingService {
  constructor(
    private readonly channels: ChannelService,
    private readonly database: Database,
    private readonly prisma: PrismaService,
  ) {}

  async get(scope: Scope): Promise<WaitingForChannelDto> {
    const { id, enabled } = await this.channels.find(placeOf(scope));
    const { rows } = enabled
      ? await this.database.query<Row>('count-failing', COUNT_FAILING, [id, scope.organizationId, MAX_FAILING])
      : await this.database.query<Row>('count-waiting', COUNT_WAITING, [id, MAX_WAITING]);
    const { waiting, since, lastFailure = null, failures } = rows[0]!;
    const values = [id, scope.organizationId, uuidBound(Date.now() - DAY_MS)];
    const givenUp = await this.database.query<FailureRow>('given-up', GIVEN_UP, values);
    return {
      waiting,
      since: since?.toISOString() ?? null,
      last_failure: lastFailure,
      recent_failures: newest([...(failures ?? []), ...givenUp.rows]),
    };
  }

  /** From the commit on, nothing of it is sent. Workers then update the deliveries. */
  async discard(scope: Scope): Promise<DiscardedDto> {
    const { id } = await this.channels.find(placeOf(scope));
    const evidence = JSON.stringify({ switched_off: 'channel', discarded_at: new Date().toISOString() });
    let discarded = 0;
    for (let isMore = true; isMore;) {
      const { jobs, deliveries } = await this.discardSome(scope, id, evidence);
      discarded += deliveries;
      isMore = jobs >= BATCH;
    }
    return { discarded };
  }

  private discardSome(scope: Scope, id: number, evidence: string): Promise<{ jobs: number; deliveries: number }> {
    const { organizationId } = scope;
    return this.prisma.change(actorOf(scope), async (tx) => {
      type Row = { jobs: number; deliveries: number };
      const [row] = await tx.$queryRawUnsafe<Row[]>(DISCARD, id, organizationId, BATCH, evidence);
      await tx.$executeRawUnsafe(AUDIT, organizationId, id, row!.deliveries);
      return row!;
    });
  }
}

const newest = (rows: FailureRow[]): ChannelFailureDto[] =>
  rows
    .map(({ at, ...row }) => ({ at: new Date(at).toISOString(), ...row }))
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, MAX_FAILURES);
