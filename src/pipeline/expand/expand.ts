import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { emailKey } from '../../field/email.js';
import type { OccurrenceStatus } from '../../generated/prisma/enums.js';
import { Database } from '../../prisma/database.js';
import { deliverLane } from '../../queue/deliver-job.js';
import { BULK_FROM } from '../../queue/priority.js';
import type { Slots } from '../../queue/slots.js';
import type { ExpandPayload } from '../../queue/task.js';
import type { TriggerOptions } from '../../queue/trigger-options.js';
import { channelsById, decide, targetsOf } from '../../ruleset/decide.js';
import type { RuleChannel, Decision, Target } from '../../ruleset/decide.js';
import type { Person } from '../../ruleset/message.js';
import { peopleQuery } from '../../ruleset/people-query.js';
import type { RulePeople } from '../../ruleset/people-query.js';
import { reachedPeople } from '../../ruleset/people.sql.js';
import { ruleOf } from '../../ruleset/rule.js';
import type { Rule } from '../../ruleset/rule.js';
import type { Off } from '../../ruleset/switch.sql.js';
import { Watch } from '../../watch/watch.js';
import { Deliver } from '../deliver/deliver.js';
import { Pause } from '../steer/pause.js';
import { reachesMoreThan } from './ceiling.js';
import type { PeoplePage } from './ceiling.js';
import { EXPAND_LATER, FAIL, FIND_USERS, FINISH, HOLD, LOAD_OCCURRENCE, expandChunk } from './expand.sql.js';

/** People per statement and per deliver job. The first chunk is small, so that the first message is sent at once. */
const FIRST_CHUNK = 100;
const CHUNK = 1000;

/** Occurrences of one job that are expanded in parallel. */
const PARALLEL = 4;

/** After this time a large occurrence goes to the end of the queue. */
const TIME_SLICE_MS = 2000;

interface OccurrenceRow {
  id: string;
  organizationId: number;
  context: unknown;
  options: TriggerOptions;
  status: OccurrenceStatus;
  checkpoint: Checkpoint | null;
  decisions: Decision[] | null;
  rules: Rule[] | null;
  channels: Record<string, RuleChannel> | null;
  /** The first switch that is off, of its event or one of the event's parents; null: all are on. */
  off: Off | null;
  /** If the occurrence reaches more people than this, a person must approve it; null: no limit, or it is approved. */
  ceiling: number | null;
}

/** The progress of an expansion. */
interface Checkpoint {
  /** Index of the current target. */
  target: number;
  /** The last user of this target that was expanded. */
  after: number;
  /** People of all targets until now. */
  people: number;
}

/** The facts that all targets of an occurrence share. */
interface Expansion {
  occurrence: OccurrenceRow;
  decisions: Decision[];
  only: number[] | null;
  channels: Map<number, RuleChannel>;
  slots: Slots;
}

interface ChunkRow {
  last: number | null;
  people: number;
  /** False when the occurrence was canceled. */
  isOpen: boolean;
  /** The job that this worker has locked, and its people unless they are more than a page. */
  job?: string | null;
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

  async run({ occurrences }: ExpandPayload, stopping: AbortSignal, slots: Slots): Promise<void> {
    const waiting = [...occurrences];
    const later: string[] = [];
    const until = Date.now() + TIME_SLICE_MS;
    const mustStop = () => stopping.aborted || Date.now() > until;
    const next = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const done = await this.traced(id, () => this.expand(id, mustStop, slots)).catch((error: unknown) => {
          // A single occurrence fails its job, which is retried. One of several must not fail the others.
          if (occurrences.length === 1) throw error;
          return false;
        });
        if (!done) later.push(id);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, next));
    if (later.length > 0) await this.database.query('expand-later', EXPAND_LATER, [later]);
  }

  /** The job failed at every attempt: its occurrences become failed instead of waiting forever. */
  async giveUp({ occurrences }: ExpandPayload): Promise<void> {
    const problem = 'the job failed at every attempt; see the worker log';
    await this.database.query('fail-expansion', FAIL, [occurrences, problem]);
  }

  private traced<Result>(id: string, expand: () => Promise<Result>): Promise<Result> {
    const { traces } = this.watch;
    return traces ? traces.during('expand', id, expand) : expand();
  }

  /** False when the expansion was interrupted: the checkpoint says where to resume. */
  private async expand(id: string, mustStop: () => boolean, slots: Slots): Promise<boolean> {
    const { rows } = await this.database.query<OccurrenceRow>('load-occurrence', LOAD_OCCURRENCE, [id]);
    const [occurrence] = rows;
    if (!occurrence || !['pending', 'expanding'].includes(occurrence.status)) return true;
    if (occurrence.off) {
      await this.pause.expand(id, occurrence.off);
      return true;
    }
    const channels = channelsById(occurrence.channels);
    // Decided once: a resumed expansion continues with the same rules and channels, even if they were edited.
    const decisions =
      occurrence.decisions ?? decide(occurrence.rules ?? [], occurrence.context, occurrence.options.channels, channels);
    const only = await onlyTo(this.database, occurrence);
    const targets = targetsOf(decisions);
    const expansion = { occurrence, decisions, only, channels, slots };
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
        if (mustStop()) return false;
        const { last, people, isOpen } = await step(checkpoint, size);
        if (!isOpen) return true; // it was canceled
        checkpoint = { target: index, after: last ?? checkpoint.after, people: checkpoint.people + people };
        if (people < size) break;
      }
    }
    if (targets.length === 0) await this.database.query('finish-expansion', FINISH, [id, JSON.stringify(decisions)]);
    return true;
  }

  /** Whether the occurrence would reach more people than its event allows. A rule that failed reaches nobody. */
  private async isTooLarge(expansion: Expansion, targets: Target[]): Promise<boolean> {
    const { ceiling } = expansion.occurrence;
    if (ceiling === null) return false;
    const pages = targets
      .filter(({ reason }) => reason === undefined)
      .map((target) => async (after: number): Promise<PeoplePage> => {
        const query = peopleQuery(this.peopleOf(expansion, target), { after, limit: CHUNK }, reachedPeople);
        return (await this.database.pool.query<PeoplePage>(query)).rows[0]!;
      });
    return reachesMoreThan(ceiling, pages);
  }

  private peopleOf({ occurrence, channels, only }: Expansion, target: Target): RulePeople {
    const { organizationId, rules } = occurrence;
    const rule = ruleOf(rules ?? [], target);
    return { organizationId, rule, channelId: target.channel, channels, dispatchers: this.dispatchers, only };
  }

  /** Returns a function that creates the deliveries of the next people of a target. */
  private chunkMaker(expansion: Expansion, target: Target, isLast: boolean) {
    const { occurrence, decisions, slots } = expansion;
    const { id, options } = occurrence;
    const { notification, channel, reason } = target;
    const rulePeople = this.peopleOf(expansion, target);
    const failed = reason !== undefined;
    return async ({ target: number, after, people }: Checkpoint, limit: number): Promise<ChunkRow> => {
      const priority = options.priority ?? (people >= BULK_FROM ? 'bulk' : 'normal');
      const slot = limit === FIRST_CHUNK ? await slots.tryAcquire(deliverLane(priority, channel)) : null;
      const locked = slot !== null;
      const textFor = (audience: string | null) => expandChunk(audience, { failed, locked });
      const query = peopleQuery(rulePeople, { after, limit }, textFor, [
        ...[id, notification, reason ?? null, number, priority, people],
        ...[JSON.stringify(decisions), isLast, slot?.worker ?? null],
      ]);
      // A named statement is planned once per connection. A rule with an audience has a text of its own, so it gets no name.
      const hasAudience = Boolean(rulePeople.rule.audience);
      const name = hasAudience ? undefined : `expand-chunk${failed ? '-of-failed' : ''}${locked ? '-locked' : ''}`;
      const { rows } = await this.database.pool.query<ChunkRow>({ name, ...query }).catch((error: unknown) => {
        slot?.release();
        throw error;
      });
      const { last, job, fresh } = rows[0]!;
      const payload = { occurrence: id, notification, channel, after, last: last ?? after, priority };
      const chunk = { ...payload, template: null, lot: null };
      if (!job) slot?.release();
      else slot?.run(job, (stopping) => this.deliver.run(chunk, stopping, fresh?.map(asPerson)));
      return rows[0]!;
    };
  }
}

/** JSON has no dates. */
const asPerson = (fresh: FreshPerson): Person => ({ ...fresh, pendingSince: new Date(fresh.pendingSince) });

/** The users that `limit_to` names; null: everyone. */
export async function onlyTo(
  database: Database,
  { organizationId, options }: { organizationId: number; options: TriggerOptions },
): Promise<number[] | null> {
  if (!options.limit_to) return null;
  const keys = options.limit_to.map(emailKey);
  const { rows } = await database.query<{ id: number }>('find-users', FIND_USERS, [organizationId, keys]);
  return rows.map(({ id }) => id);
}
