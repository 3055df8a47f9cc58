import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { Database } from '../../platform/database/database.js';
import type { Remainder, StepPass, StepPayload } from '../../platform/queue/task.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { choicesOf } from '../../rules/ruleset/choices.js';
import { addressKindOf, channelsById } from '../../rules/ruleset/decide.js';
import type { Decision, RuleChannel } from '../../rules/ruleset/decide.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { lapseOf } from '../../rules/step/lapse.js';
import { laterSteps, usersOfStep } from '../../rules/step/later-steps.js';
import type { LaterStep } from '../../rules/step/later-steps.js';
import { stepThreadOf } from '../../rules/thread/resolution.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { END_STEPS, LOAD_STEPS, takeStep } from './step.sql.js';
import type { Steps, StepsRow } from './steps.js';
import { TellOthers } from './tell-others.js';
import { CHUNK, TimeSlice } from './time-slice.js';

/** The next pass waits so many times as long as this one took: users become due one after another, and each pass looks at all who wait. */
const REST_OF_PASSES = 20;

/** Everybody. No user has a higher id. */
const ALL = 2_147_483_647;

interface ChunkRow {
  /** Null: there are no more users. */
  last: number | null;
  users: number;
  firstWaiting: number | null;
  waitMs: number | null;
}

/**
 * Takes the later steps of one notification of an occurrence, for all its users. One job serves them all: it waits until the first user is due, goes
 * through the users in order, and waits for the next. There is no row for a user who waits.
 */
@Injectable()
export class TakeSteps {
  private readonly others: TellOthers;

  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly telemetry: Telemetry,
  ) {
    this.others = new TellOthers(database, dispatchers);
  }

  run(payload: StepPayload, stopping: AbortSignal): Promise<Remainder<StepPayload> | undefined> {
    const { traces } = this.telemetry;
    const take = () => this.take(payload, stopping);
    return traces ? traces.during('step', payload.occurrence, take) : take();
  }

  /** The job failed at every attempt, or everything is done: nothing keeps the occurrence any more. */
  async end({ occurrence, notification }: StepPayload): Promise<undefined> {
    await this.database.query('end-steps', END_STEPS, [occurrence, notification]);
  }

  private async take(payload: StepPayload, stopping: AbortSignal): Promise<Remainder<StepPayload> | undefined> {
    const { occurrence: id, notification } = payload;
    const { rows } = await this.database.query<StepsRow>('load-steps', LOAD_STEPS, [id, notification]);
    const [occurrence] = rows;
    const rule = occurrence?.rules?.find((each) => each.id === notification);
    if (!occurrence || !rule || occurrence.status !== 'expanded' || hasExpired(occurrence.options))
      return this.end(payload);
    if (occurrence.off) return { off: occurrence.off };
    const channels = channelsById(occurrence.channels);
    const later = stepsNow(rule, occurrence.decisions ?? [], channels);
    const settled = later.map((_, i) => payload.settled?.[i] ?? 0);
    const pass = payload.pass ?? { step: 0, after: settled[0] ?? ALL, firstWaiting: null, next: null, tookMs: 0 };
    const isDone = await this.pass({ occurrence, rule, later, channels }, settled, pass, stopping);
    if (!isDone) return { waitMs: 0, payload: { occurrence: id, notification, settled, pass } };
    if (pass.next === null || hasExpired(occurrence.options, pass.next)) return this.end(payload);
    const waitMs = Math.max(pass.next - Date.now(), pass.tookMs * REST_OF_PASSES, 1);
    return { waitMs, payload: { occurrence: id, notification, settled } };
  }

  /** Goes through the users of all steps, and notes its progress in `settled` and `pass`. Returns whether it has come to the end. */
  private async pass(steps: Steps, settled: number[], pass: StepPass, stopping: AbortSignal): Promise<boolean> {
    const slice = new TimeSlice(stopping);
    try {
      for (; pass.step < steps.later.length; this.nextStep(steps, settled, pass)) {
        const isToOthers = steps.later[pass.step]!.to !== null;
        const take = isToOthers ? this.takeForOthers(steps, settled, pass, slice) : this.takeStep(steps, pass, slice);
        if (!(await take)) return false;
      }
      return true;
    } finally {
      pass.tookMs += slice.tookMs;
    }
  }

  private async takeStep(steps: Steps, pass: StepPass, slice: TimeSlice): Promise<boolean> {
    const statement = this.statementOf(steps, steps.later[pass.step]!);
    for (let users = CHUNK; users === CHUNK && pass.after < ALL;) {
      if (slice.isOver) return false;
      const { rows } = await slice.during(this.database.query<ChunkRow>(...statement(pass.after)));
      const chunk = rows[0]!;
      users = chunk.users;
      pass.after = chunk.last ?? pass.after;
      pass.firstWaiting ??= chunk.firstWaiting;
      if (chunk.waitMs !== null) wakeAt(pass, Date.now() + chunk.waitMs);
    }
    return true;
  }

  private async takeForOthers(steps: Steps, settled: number[], pass: StepPass, slice: TimeSlice): Promise<boolean> {
    const place = pass.step;
    if (settled[place] === ALL) return true;
    const progress = await this.others.take(steps, place, pass, slice);
    if (typeof progress === 'number') wakeAt(pass, progress);
    if (progress === 'over') settled[place] = ALL;
    return progress !== 'cut';
  }

  /** Users before the first who waits are settled; in a later step only those who are settled in the step before. */
  private nextStep({ later }: Steps, settled: number[], pass: StepPass): void {
    const { step, firstWaiting } = pass;
    if (later[step]!.to === null)
      settled[step] = Math.min(firstWaiting === null ? ALL : firstWaiting - 1, settled[step - 1] ?? ALL);
    pass.step++;
    pass.after = settled[pass.step] ?? ALL;
    pass.firstWaiting = null;
    delete pass.survey;
    delete pass.telling;
  }

  /** Returns a function that makes the statement for the users after one. */
  private statementOf({ occurrence, rule, later, channels }: Steps, step: LaterStep) {
    const { id, organizationId, context, options } = occurrence;
    const thread = stepThreadOf(rule, context);
    const targets = step.channels.map((channel) => this.targetOf(occurrence, rule, channels.get(channel)!));
    const choose = targets.some((target) => 'project' in target);
    const { unless, before, after: seconds, repeats, repeatsBefore } = step;
    const again = repeats > 0;
    const each = unless !== null && rule.acknowledge?.by === 'each';
    const name = `take-step${unless ? `-unless-${unless}` : ''}${each ? '-each' : ''}${again ? '-again' : ''}${choose ? '-choose' : ''}${thread ? '-thread' : ''}`;
    const text = takeStep({ unless, choose, each, again, thread: thread !== null });
    // What is known of a message may end its repetitions.
    const coming = later.filter(({ number }) => number > step.number || (number === step.number && !again));
    const all = (rule.steps ?? []).flatMap((each) => each.channels);
    const values = [
      ...[coming.flatMap((each) => each.channels), all, options.priority ?? 'normal', repeats || repeatsBefore],
      ...(thread ? [thread.value, thread.field] : []),
      ...(unless ? [lapseOf(rule)] : []),
    ];
    return (after: number): [name: string, text: string, values: unknown[]] => [
      name,
      text,
      [id, rule.id, organizationId, before, JSON.stringify(targets), after, CHUNK, seconds, ...values],
    ];
  }

  private targetOf({ recipients, eventId, context, options }: StepsRow, rule: Rule, channel: RuleChannel) {
    const to = usersOfStep(rule, channel.id);
    return {
      channel: channel.id,
      address_kind: addressKindOf(channel, this.dispatchers),
      lists: to?.lists ?? rule.lists,
      for_all: to ? to.audience !== undefined : rule.audience !== null || rule.to !== undefined,
      ...choicesOf(recipients, {
        ...{ eventId, channelType: channel.type, channel: channel.id, rule, context, options },
      }),
    };
  }
}

/** The job looks again at this time, or earlier. */
function wakeAt(pass: StepPass, at: number): void {
  pass.next = Math.min(pass.next ?? Infinity, at);
}

const hasExpired = ({ expires_at: expires }: TriggerOptions, at = Date.now()) =>
  expires !== undefined && new Date(expires).getTime() <= at;

/** The later steps without the channels that were deleted since the expansion. */
function stepsNow(rule: Rule, decisions: Decision[], channels: Map<number, RuleChannel>): LaterStep[] {
  const decision = decisions.find(({ notification }) => notification === rule.id);
  if (!decision) return [];
  const left = decision.channels.filter(({ channel, verdict }) => verdict !== 'later' || channels.has(channel));
  return laterSteps(rule, { ...decision, channels: left });
}
