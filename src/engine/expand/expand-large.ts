import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import { Database } from '../../platform/database/database.js';
import { BULK_FROM } from '../../platform/queue/priority.js';
import type { ExpandOnePayload, Remainder } from '../../platform/queue/task.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { choicesOf, choicesOfRoom, variantOf } from '../../rules/ruleset/choices.js';
import type { RecipientSettings } from '../../rules/ruleset/choices.js';
import { channelsById, decide, targetsOf } from '../../rules/ruleset/decide.js';
import type { RuleChannel, Decision, Target } from '../../rules/ruleset/decide.js';
import { userQuery } from '../../rules/ruleset/user-query.js';
import type { RuleUsers } from '../../rules/ruleset/user-query.js';
import { judgedRoom, judgedUsers, reachedUsers } from '../../rules/ruleset/users.sql.js';
import type { UserQueryText } from '../../rules/ruleset/users.sql.js';
import { ROOM, isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { FetchFiles, hasUnfetched } from '../file/fetch-files.js';
import { reachesMoreThan } from './ceiling.js';
import type { UserPage } from './ceiling.js';
import { FAIL, FINISH, HOLD, LOAD_OCCURRENCE, expandChunk } from './expand-large.sql.js';
import { nextSteps } from '../step/next-steps.js';
import { findNamed } from './named-users.js';
import type { OnlyTo } from './named-users.js';

/** Users per statement and per deliver job. The first chunk is small, so that the first message is sent at once. */
const FIRST_CHUNK = 100;
const CHUNK = 1000;

/** After this time a large occurrence goes to the end of the queue. */
const TIME_SLICE_MS = 2000;

interface OccurrenceRow {
  id: string;
  organizationId: number;
  eventId: number;
  context: unknown;
  options: TriggerOptions;
  status: OccurrenceStatus;
  checkpoint: Checkpoint | null;
  decisions: Decision[] | null;
  rules: Rule[] | null;
  channels: Record<string, RuleChannel> | null;
  /** The first switch that is off, of its event or one of the event's parents; null: all are on. */
  off: Off | null;
  recipients: RecipientSettings;
  /** If the occurrence reaches more users than this, somebody must approve it; null: no limit, or it is approved. */
  ceiling: number | null;
}

/** The progress of an expansion. */
interface Checkpoint {
  /** Index of the current target. */
  target: number;
  /** The last user of this target that was expanded. */
  after: number;
  /** Users of all targets until now. */
  people: number;
}

/** The facts that all targets of an occurrence share. */
interface Expansion {
  occurrence: OccurrenceRow;
  decisions: Decision[];
  only: OnlyTo;
  channels: Map<number, RuleChannel>;
}

interface ChunkRow {
  last: number | null;
  users: number;
  /** False when the occurrence was canceled. */
  isOpen: boolean;
}

/** Expands one occurrence of any size, in chunks: rules that match -> users -> deliveries and the jobs that send them. */
@Injectable()
export class ExpandLarge {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly telemetry: Telemetry,
    private readonly fetching: FetchFiles,
  ) {}

  async run({ occurrence }: ExpandOnePayload, stopping: AbortSignal): Promise<Remainder<ExpandOnePayload> | undefined> {
    return this.traced(occurrence, () => this.expand(occurrence, stopping));
  }

  /** The job failed at every attempt: its occurrence becomes failed instead of waiting forever. */
  async giveUp({ occurrence }: ExpandOnePayload): Promise<void> {
    const problem = 'the job failed at every attempt; see the worker log';
    await this.database.query('fail-expansion', FAIL, [[occurrence], problem]);
  }

  private traced<Result>(id: string, expand: () => Promise<Result>): Promise<Result> {
    const { traces } = this.telemetry;
    return traces ? traces.during('expand', id, expand) : expand();
  }

  /** What is left when the expansion was interrupted; the checkpoint says where to resume. */
  private async expand(id: string, stopping: AbortSignal): Promise<Remainder<ExpandOnePayload> | undefined> {
    const { rows } = await this.database.query<OccurrenceRow>('load-occurrence', LOAD_OCCURRENCE, [id]);
    const [occurrence] = rows;
    if (!occurrence || !['pending', 'expanding'].includes(occurrence.status)) return undefined;
    if (occurrence.off) return { off: occurrence.off };
    const channels = channelsById(occurrence.channels);
    // Decided once: a resumed expansion continues with the same rules and channels, even if they were edited.
    const rules = occurrence.rules ?? [];
    const decisions = occurrence.decisions ?? decide(rules, occurrence.context, occurrence.options, channels);
    const { only } = await findNamed(this.database, { ...occurrence, rules });
    const targets = targetsOf(decisions);
    const expansion = { occurrence, decisions, only, channels };
    if (await this.isTooLarge(expansion, targets)) {
      await this.database.query('hold-occurrence', HOLD, [id, JSON.stringify(decisions)]);
      return undefined;
    }
    if (hasUnfetched(occurrence.options)) {
      const fetched = await this.fetching.of(occurrence, channels.values(), stopping);
      if ('waitMs' in fetched) return fetched;
      if ('problem' in fetched) {
        await this.database.query('fail-expansion', FAIL, [[id], fetched.problem]);
        return undefined;
      }
    }
    let checkpoint = occurrence.checkpoint ?? { target: 0, after: 0, people: 0 };
    const until = Date.now() + TIME_SLICE_MS; // not earlier: each time slice must make at least one chunk
    for (const [index, target] of targets.entries()) {
      if (index < checkpoint.target) continue;
      if (index > checkpoint.target) checkpoint = { ...checkpoint, target: index, after: 0 };
      const isLast = index === targets.length - 1;
      const step = this.chunkMaker(expansion, target, isLast);
      for (let size = checkpoint.after === 0 ? FIRST_CHUNK : CHUNK; ; size = CHUNK) {
        if (stopping.aborted || Date.now() > until) return { waitMs: 0 };
        const { last, users, isOpen } = await step(checkpoint, size);
        if (!isOpen) return undefined; // it was canceled
        checkpoint = { target: index, after: last ?? checkpoint.after, people: checkpoint.people + users };
        if (users < size) break;
      }
    }
    if (targets.length === 0) await this.database.query('finish-expansion', FINISH, [id, JSON.stringify(decisions)]);
    return undefined;
  }

  /** Whether the occurrence would reach more users than its event allows. A rule that failed reaches nobody, and a room is nobody. */
  private async isTooLarge(expansion: Expansion, targets: Target[]): Promise<boolean> {
    const { ceiling, rules } = expansion.occurrence;
    if (ceiling === null) return false;
    const pages = targets
      .filter((target) => target.reason === undefined && !isRoomPost(rules ?? [], target))
      .map((target) => async (after: number): Promise<UserPage> => {
        const query = userQuery(this.usersOf(expansion, target), { after, limit: CHUNK }, reachedUsers);
        return (await this.database.pool.query<UserPage>(query)).rows[0]!;
      });
    return reachesMoreThan(ceiling, pages);
  }

  private usersOf({ occurrence, channels, only }: Expansion, target: Target): RuleUsers {
    const { organizationId, eventId, rules, recipients, options, context } = occurrence;
    const rule = ruleOf(rules ?? [], target);
    const channelType = channels.get(target.channel)?.type ?? '';
    const isRoom = isRoomPost(rules ?? [], target);
    const choices = (isRoom ? choicesOfRoom : choicesOf)(recipients, {
      ...{ eventId, channelType, channel: target.channel, rule, context, options },
    });
    const { dispatchers } = this;
    return { organizationId, rule, channelId: target.channel, channels, dispatchers, only: only(rule), choices };
  }

  /** Returns a function that creates the deliveries of the next users of a target. */
  private chunkMaker(expansion: Expansion, target: Target, isLast: boolean) {
    const { occurrence, decisions } = expansion;
    const { id, options, rules } = occurrence;
    const { notification, reason } = target;
    const isRoom = isRoomPost(rules ?? [], target);
    const failed = reason !== undefined;
    const ofRule = this.usersOf(expansion, target);
    // Nobody is asked about a message that cannot be sent.
    const choices = failed ? null : ofRule.choices;
    const ruleUsers: RuleUsers = { ...ofRule, rule: isRoom ? NO_USERS : ofRule.rule, choices };
    const { choose, gather } = variantOf(ruleUsers.choices);
    const next = nextSteps(rules ?? [], decisions);
    const steps = next !== null;
    const textFor: UserQueryText = (audience, variant) =>
      expandChunk(isRoom ? judgedRoom(variant) : judgedUsers(audience, variant), { failed, steps, ...variant });
    // A named statement is planned once per connection. A rule with an audience has a text of its own, so it gets no name.
    const kind = isRoom ? 'expand-room' : ruleUsers.rule.to ? 'expand-named-chunk' : 'expand-chunk';
    const name = ruleUsers.rule.audience
      ? undefined
      : `${kind}${failed ? '-of-failed' : ''}${choose ? '-choose' : ''}${gather ? '-gather' : ''}${steps ? '-steps' : ''}`;
    return async ({ target: number, after, people: users }: Checkpoint, limit: number): Promise<ChunkRow> => {
      const priority = options.priority ?? (users >= BULK_FROM ? 'bulk' : 'normal');
      const query = userQuery(ruleUsers, { after: isRoom ? ROOM - 1 : after, limit }, textFor, [
        id,
        notification,
        reason ?? null,
        number,
        priority,
        users,
        JSON.stringify(decisions),
        isLast,
        ...(steps ? [JSON.stringify(next)] : []),
      ]);
      return (await this.database.pool.query<ChunkRow>({ name, ...query })).rows[0]!;
    };
  }
}

/** A room has no users. */
const NO_USERS = { lists: [], audience: null };
