import { Inject, Injectable } from '@nestjs/common';
import { compileAudience } from '../../condition/audience.js';
import type { Audience } from '../../condition/audience.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { emailKey } from '../../field/email.js';
import type { OccurrenceStatus } from '../../generated/prisma/enums.js';
import { Database } from '../../prisma/database.js';
import type { Hands } from '../../queue/hands.js';
import { BULK_FROM } from '../../queue/priority.js';
import type { Priority } from '../../queue/priority.js';
import { deliverLane } from '../../queue/task.js';
import type { ExpandPayload } from '../../queue/task.js';
import { addressKindOf, channelsById, decide, targetsOf } from '../../ruleset/decide.js';
import type { RuleChannel, Decision, Target } from '../../ruleset/decide.js';
import type { Person } from '../../ruleset/message.js';
import { FIRST_FREE_PARAMETER, peopleValues, reachedPeople } from '../../ruleset/people.sql.js';
import type { Rule } from '../../ruleset/rule.js';
import type { Off } from '../../ruleset/switch.sql.js';
import { Watch } from '../../watch/watch.js';
import { Deliver } from '../deliver/deliver.js';
import { Pause } from '../steer/pause.js';
import { reachesMoreThan } from './ceiling.js';
import type { PeoplePage } from './ceiling.js';
import {
  EXPAND_LATER,
  FAIL,
  FIND_USERS,
  FINISH,
  FIRST_AUDIENCE_PARAMETER,
  HOLD,
  LOAD_OCCURRENCE,
  expandChunk,
} from './expand.sql.js';

/** People per statement and per deliver job. The first chunk is small, so that the first message leaves at once. */
const FIRST_CHUNK = 100;
const CHUNK = 1000;

/** Occurrences of one job that are expanded side by side. */
const SIDE_BY_SIDE = 4;

/** After so long a large occurrence goes to the end of the line. */
const TURN_MS = 2000;

interface OccurrenceRow {
  id: string;
  organizationId: number;
  context: unknown;
  options: { channels?: string[]; limit_to?: string[]; priority?: Priority };
  status: OccurrenceStatus;
  checkpoint: Checkpoint | null;
  decisions: Decision[] | null;
  rules: Rule[] | null;
  channels: Record<string, RuleChannel> | null;
  /** What above it is switched off, if anything. */
  off: Off | null;
  /** More people than this need a person's approval; null: as many as there are, or they have it. */
  ceiling: number | null;
}

/** How far an expansion has come. */
interface Checkpoint {
  /** The number of the target, and the last of its users. */
  target: number;
  after: number;
  /** Of all targets so far. */
  people: number;
}

/** What holds for all targets of an occurrence. */
interface Expansion {
  occurrence: OccurrenceRow;
  decisions: Decision[];
  only: number[] | null;
  channels: Map<number, RuleChannel>;
  hands: Hands;
}

interface ChunkRow {
  last: number | null;
  people: number;
  /** False when it was canceled. */
  going: boolean;
  /** The job that is in our hand, and its people unless they are many. */
  held?: string | null;
  fresh?: FreshPerson[] | null;
}

type FreshPerson = Omit<Person, 'pendingSince'> & { pendingSince: string };

/** Occurrence -> rules that match -> people -> deliveries. */
@Injectable()
export class Expand {
  constructor(
    private readonly database: Database,
    private readonly deliver: Deliver,
    private readonly pause: Pause,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly watch: Watch,
  ) {}

  async run({ occurrences }: ExpandPayload, stopping: AbortSignal, hands: Hands): Promise<void> {
    const waiting = [...occurrences];
    const later: string[] = [];
    const until = Date.now() + TURN_MS;
    const over = () => stopping.aborted || Date.now() > until;
    const next = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const done = await this.traced(id, () => this.expand(id, over, hands)).catch((error: unknown) => {
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

  /** Whatever it was, it failed at every attempt: the occurrence says so rather than wait for ever. */
  async giveUp({ occurrences }: ExpandPayload): Promise<void> {
    const problem = 'its people could not be worked out; the log of the workers says why';
    await this.database.query('fail-expansion', FAIL, [occurrences, problem]);
  }

  private traced<Result>(id: string, expand: () => Promise<Result>): Promise<Result> {
    const { traces } = this.watch;
    return traces ? traces.during('expand', id, expand) : expand();
  }

  /** False when it was stopped in between: what is left lies behind the checkpoint. */
  private async expand(id: string, over: () => boolean, hands: Hands): Promise<boolean> {
    const { rows } = await this.database.query<OccurrenceRow>('load-occurrence', LOAD_OCCURRENCE, [id]);
    const [occurrence] = rows;
    if (!occurrence || !['pending', 'expanding'].includes(occurrence.status)) return true;
    if (occurrence.off) {
      await this.pause.expand(id, occurrence.off);
      return true;
    }
    const channels = channelsById(occurrence.channels);
    // Decided once: whatever is edited while it expands, a resumed expansion goes on with the same rules and channels.
    const decisions =
      occurrence.decisions ?? decide(occurrence.rules ?? [], occurrence.context, occurrence.options.channels, channels);
    const only = await onlyTo(this.database, occurrence);
    const targets = targetsOf(decisions);
    const expansion = { occurrence, decisions, only, channels, hands };
    if (await this.isTooLarge(expansion, targets)) {
      await this.database.query('hold-occurrence', HOLD, [id, JSON.stringify(decisions)]);
      return true;
    }
    let checkpoint = occurrence.checkpoint ?? { target: 0, after: 0, people: 0 };
    for (const [index, target] of targets.entries()) {
      if (index < checkpoint.target) continue;
      if (index > checkpoint.target) checkpoint = { ...checkpoint, target: index, after: 0 };
      const isLast = index === targets.length - 1;
      const step = this.chunkMaker(expansion, target, isLast);
      for (let size = checkpoint.after === 0 ? FIRST_CHUNK : CHUNK; ; size = CHUNK) {
        if (over()) return false;
        const { last, people, going } = await step(checkpoint, size);
        if (!going) return true; // canceled meanwhile
        checkpoint = { target: index, after: last ?? checkpoint.after, people: checkpoint.people + people };
        if (people < size) break;
      }
    }
    if (targets.length === 0) await this.database.query('finish-expansion', FINISH, [id, JSON.stringify(decisions)]);
    return true;
  }

  /** Whether it would reach more people than its event allows. Those of a rule that failed are told nothing. */
  private async isTooLarge({ occurrence, only, channels }: Expansion, targets: Target[]): Promise<boolean> {
    const { organizationId, rules, ceiling } = occurrence;
    if (ceiling === null) return false;
    const pages = targets
      .filter(({ reason }) => reason === undefined)
      .map(({ notification, channel: channelId }) => {
        const { lists, audience: filter } = rules!.find(({ id }) => id === notification)!;
        const audience = filter ? compileAudience(filter as Audience, FIRST_FREE_PARAMETER) : null;
        const addressKind = addressKindOf(channels.get(channelId), this.dispatchers);
        return async (after: number): Promise<PeoplePage> => {
          const people = peopleValues({ organizationId, channelId, addressKind, lists, after, limit: CHUNK, only });
          const values = [...people, ...(audience?.values ?? [])];
          return (await this.database.pool.query<PeoplePage>(reachedPeople(audience?.sql ?? null), values)).rows[0]!;
        };
      });
    return reachesMoreThan(ceiling, pages);
  }

  /** Makes the deliveries of a target, some people at a time. */
  private chunkMaker(
    { occurrence: { id, organizationId, rules, options }, decisions, only, channels, hands }: Expansion,
    { notification, channel: channelId, reason }: Target,
    isLast: boolean,
  ) {
    const { lists, audience: filter } = rules!.find((rule) => rule.id === notification)!;
    const audience = filter ? compileAudience(filter as Audience, FIRST_AUDIENCE_PARAMETER) : null;
    const failed = reason !== undefined;
    const addressKind = addressKindOf(channels.get(channelId), this.dispatchers);
    return async ({ target, after, people }: Checkpoint, limit: number): Promise<ChunkRow> => {
      const priority = options.priority ?? (people >= BULK_FROM ? 'bulk' : 'normal');
      const hand = limit === FIRST_CHUNK ? await hands.reach(deliverLane(priority, channelId)) : null;
      const held = hand !== null;
      const text = expandChunk(audience?.sql ?? null, { failed, held });
      // Named, and so planned once per connection, unless each rule has a text of its own.
      const name = audience ? undefined : `expand-chunk${failed ? '-of-failed' : ''}${held ? '-in-hand' : ''}`;
      const values = [
        ...peopleValues({ organizationId, channelId, addressKind, lists, after, limit, only }),
        ...[id, notification, reason ?? null, target, priority, people],
        ...[JSON.stringify(decisions), isLast, hand?.worker ?? null],
        ...(audience?.values ?? []),
      ];
      const { rows } = await this.database.pool.query<ChunkRow>({ name, text, values }).catch((error: unknown) => {
        hand?.open();
        throw error;
      });
      const { last, held: job, fresh } = rows[0]!;
      const payload = { occurrence: id, notification, channel: channelId, after, last: last ?? after, priority };
      const chunk = { ...payload, template: null, lot: null };
      if (!job) hand?.open();
      else hand?.run(job, (stopping) => this.deliver.run(chunk, stopping, fresh?.map(asPerson)));
      return rows[0]!;
    };
  }
}

/** JSON has no dates. */
const asPerson = (fresh: FreshPerson): Person => ({ ...fresh, pendingSince: new Date(fresh.pendingSince) });

/** The users that `limit_to` leaves; null is everyone. */
export async function onlyTo(
  database: Database,
  { organizationId, options }: { organizationId: number; options: { limit_to?: string[] } },
): Promise<number[] | null> {
  if (!options.limit_to) return null;
  const keys = options.limit_to.map(emailKey);
  const { rows } = await database.query<{ id: number }>('find-users', FIND_USERS, [organizationId, keys]);
  return rows.map(({ id }) => id);
}
