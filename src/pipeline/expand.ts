import { Inject, Injectable } from '@nestjs/common';
import { emailKey } from '../common/email.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { compileAudience } from '../notification/audience.js';
import type { Audience } from '../notification/audience.js';
import { Database } from '../prisma/database.js';
import { jobPriority } from '../queue/priority.js';
import type { Priority } from '../queue/priority.js';
import type { ExpandPayload } from '../queue/task.js';
import { decide, targetsOf } from './decide.js';
import type { ChannelState, Decision, Target } from './decide.js';
import {
  EXPAND_LATER,
  FIND_USERS,
  FINISH,
  FIRST_AUDIENCE_PARAMETER,
  LOAD_OCCURRENCE,
  SAVE_DECISIONS,
  expandChunk,
} from './expand.sql.js';
import type { Rule } from './rule.js';

/** People per statement and per deliver job. The first chunk is small, so that the first message leaves at once. */
const FIRST_CHUNK = 100;
const CHUNK = 1000;

/** Occurrences of one job that are expanded side by side. */
const SIDE_BY_SIDE = 4;

interface OccurrenceRow {
  id: string;
  organizationId: number;
  context: unknown;
  options: { channels?: string[]; limit_to?: string[]; priority?: Priority };
  status: 'pending' | 'expanding' | 'expanded';
  checkpoint: { target: number; after: number } | null;
  decisions: Decision[] | null;
  rules: Rule[] | null;
  channels: Record<string, ChannelState> | null;
}

/** Occurrence -> rules that match -> people -> deliveries. */
@Injectable()
export class Expand {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  async run({ occurrences }: ExpandPayload, stopping: AbortSignal): Promise<void> {
    const waiting = [...occurrences];
    const later: string[] = [];
    const next = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const done = await this.expand(id, stopping).catch((error: unknown) => {
          // Alone it fails, and comes back as failing jobs do; among others it must not hold them up.
          if (occurrences.length === 1) throw error;
          return false;
        });
        if (!done) later.push(id);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
    if (later.length > 0) await this.database.query('expand-later', EXPAND_LATER, [later]);
  }

  /** False when it was stopped in between: what is left lies behind the checkpoint. */
  private async expand(id: string, stopping: AbortSignal): Promise<boolean> {
    const { rows } = await this.database.query<OccurrenceRow>('load-occurrence', LOAD_OCCURRENCE, [id]);
    const [occurrence] = rows;
    if (!occurrence || occurrence.status === 'expanded') return true;
    const channels = new Map(Object.values(occurrence.channels ?? {}).map((channel) => [channel.id, channel]));
    const decisions = await this.decisionsFor(occurrence, channels);
    const only = await this.onlyTo(occurrence);
    const { target: start, after } = occurrence.checkpoint ?? { target: 0, after: 0 };
    for (const [index, target] of targetsOf(decisions).entries()) {
      if (index < start) continue;
      const from = index === start ? after : 0;
      if (!(await this.expandTarget(occurrence, target, { index, after: from }, only, channels, stopping)))
        return false;
    }
    await this.database.query('finish-expansion', FINISH, [id]);
    return true;
  }

  /** Decided once: whatever is edited while it expands, a resumed expansion goes on with the same rules and channels. */
  private async decisionsFor(occurrence: OccurrenceRow, channels: Map<number, ChannelState>): Promise<Decision[]> {
    if (occurrence.decisions) return occurrence.decisions;
    const decisions = decide(occurrence.rules ?? [], occurrence.context, occurrence.options.channels, channels);
    await this.database.query('save-decisions', SAVE_DECISIONS, [occurrence.id, JSON.stringify(decisions)]);
    return decisions;
  }

  private async onlyTo({ organizationId, options }: OccurrenceRow): Promise<number[] | null> {
    if (!options.limit_to) return null;
    const keys = options.limit_to.map(emailKey);
    const { rows } = await this.database.query<{ id: number }>('find-users', FIND_USERS, [organizationId, keys]);
    return rows.map(({ id }) => id);
  }

  private async expandTarget(
    occurrence: OccurrenceRow,
    { notification, channel, reason }: Target,
    start: { index: number; after: number },
    only: number[] | null,
    channels: Map<number, ChannelState>,
    stopping: AbortSignal,
  ): Promise<boolean> {
    const rule = occurrence.rules!.find(({ id }) => id === notification)!;
    const audience = rule.audience ? compileAudience(rule.audience as Audience, FIRST_AUDIENCE_PARAMETER) : null;
    const sql = expandChunk(audience?.sql ?? null);
    const kind = this.dispatchers.get(channels.get(channel)?.type ?? '')?.addressKind ?? null;
    const priority = jobPriority(occurrence.options.priority);
    let size = start.after === 0 ? FIRST_CHUNK : CHUNK;
    for (let { after } = start; ; size = CHUNK) {
      if (stopping.aborted) return false;
      const { id, organizationId } = occurrence;
      const values = [
        id,
        organizationId,
        notification,
        channel,
        kind,
        rule.lists,
        after,
        size,
        only,
        reason ?? null,
        start.index,
        priority,
      ];
      const { rows } = await this.database.pool.query<{ last: number | null; people: number }>(sql, [
        ...values,
        ...(audience?.values ?? []),
      ]);
      const { last, people } = rows[0]!;
      if (last === null || people < size) return true;
      after = last;
    }
  }
}
