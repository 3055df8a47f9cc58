import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Gate } from '../../platform/database/generated/prisma/enums.js';
import { Database } from '../../platform/database/database.js';
import { rangeValues, targetValues } from '../../platform/queue/deliver-job.js';
import type { DeliverPayload, Remainder } from '../../platform/queue/task.js';
import { choicesOf, isGathered } from '../../rules/ruleset/choices.js';
import { isExpired } from '../../rules/ruleset/message.js';
import type { MessageRecipient } from '../../rules/ruleset/message.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { TraceSpan } from '../../platform/telemetry/traces.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { judge } from '../outcome/judge.js';
import type { Outcomes } from '../outcome/outcomes.js';
import { gaveUpWaiting, skipped } from '../outcome/result.js';
import { LONGEST_SCHEDULE_MS } from '../outcome/retry.js';
import { prepareChunk } from './chunk.js';
import type { Chunk, SharedRow, UnusableChunk } from './chunk.js';
import { Circuit } from './circuit.js';
import type { CircuitState } from './circuit.js';
import {
  RECHECK_PREFERENCES,
  GATHER_DUE,
  GIVE_UP_CHUNK,
  LOAD_USERS,
  LOAD_SHARED,
  USERS_AT_ONCE,
  REST_OF_CHUNK,
  SKIP_CHUNK,
} from './deliver-chunk.sql.js';
import { DeliveryWatch } from './delivery-watch.js';
import { SendPool, jitterMs } from './send-pool.js';

interface Recheck {
  skipped: number;
  checkedAt: string;
}

/** A chunk whose due messages were checked against the preferences of their users at this time; null: there was nothing to check. */
interface CheckedPayload extends DeliverPayload {
  checkedAt: string | null;
}

/** Sends the messages of a chunk that are due: load, render, send, write the outcomes. */
@Injectable()
export class DeliverChunk {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly telemetry: Telemetry,
    private readonly sending: SendPool,
  ) {}

  async run(payload: DeliverPayload, stopping: AbortSignal): Promise<Remainder<DeliverPayload> | undefined> {
    const { traces } = this.telemetry;
    const work = (span?: TraceSpan) => this.runChunk(payload, stopping, span);
    return traces ? traces.during('deliver', payload.occurrence, work) : work();
  }

  private async runChunk(
    payload: DeliverPayload,
    stopping: AbortSignal,
    span?: TraceSpan,
  ): Promise<Remainder<DeliverPayload> | undefined> {
    const shared = await this.load(payload);
    if (!shared) return undefined; // the occurrence was deleted with its deliveries
    span?.add({ 'carillon.organization': shared.organization.slug, 'carillon.channel.type': shared.type });
    const place = {
      organization: shared.organization.slug,
      channel: shared.slug ?? '',
      occurrence: payload.occurrence,
    };
    const watch = new DeliveryWatch(shared.type, place, this.telemetry.failures, this.telemetry.metrics, span);
    if (shared.status === 'canceled') return this.skip(payload, 'canceled', watch);
    if (shared.off) return { off: shared.off };
    if (shared.slug === null) return this.skip(payload, 'channel_disabled', watch); // the channel was deleted
    const target = { ...payload, template: payload.template ?? payload.channel };
    const chunk = prepareChunk(target, shared, this.dispatchers, this.secrets);
    const checked = { ...payload, checkedAt: await this.recheckPreferences(payload, shared, watch) };
    const waitMs =
      'problem' in chunk
        ? await this.postpone(checked, chunk, shared, watch)
        : await this.deliver(checked, chunk, shared, watch, stopping);
    const values = [...rangeValues(payload), waitMs];
    return (await this.database.query<{ waitMs: number }>('rest-of-chunk', REST_OF_CHUNK, values)).rows[0];
  }

  /** Users may have changed their mind since their delivery was made, or since its last attempt. Returns the time; null: nothing to check. */
  private async recheckPreferences(
    payload: DeliverPayload,
    shared: SharedRow,
    watch: DeliveryWatch,
  ): Promise<string | null> {
    const { eventId, type, context, options, rules, recipients, digest } = shared;
    const rule = rules.find(({ id }) => id === payload.notification) ?? {};
    const { channel } = payload;
    const choices = choicesOf(recipients, { eventId, channelType: type, channel, rule, context, options, digest });
    if (choices === null) return null;
    const values = [...rangeValues(payload), JSON.stringify(choices)];
    const gatheredAt = isGathered(choices) && choices.send_local ? await this.gatherDue(values) : null;
    const { rows } = await this.database.query<Recheck>('recheck-preferences', RECHECK_PREFERENCES, values);
    const { skipped: count, checkedAt } = rows[0]!;
    watch.skipped(count);
    // A message that became due in between is not gathered yet.
    return gatheredAt ?? checkedAt;
  }

  private async gatherDue(values: unknown[]): Promise<string> {
    return (await this.database.query<{ gatheredAt: string }>('gather-due', GATHER_DUE, values)).rows[0]!.gatheredAt;
  }

  /** The job failed at every attempt: its deliveries become dead instead of waiting forever. */
  async giveUp(payload: DeliverPayload): Promise<void> {
    const reason = 'given up: the job failed at every attempt; see the worker log';
    const values = [...rangeValues(payload), reason];
    const { rows } = await this.database.query<{ type: string }>('give-up-chunk', GIVE_UP_CHUNK, values);
    for (const { type } of rows) this.telemetry.metrics?.delivered(type, 'dead');
  }

  private async load(payload: DeliverPayload): Promise<(SharedRow & CircuitState) | undefined> {
    const { rows } = await this.database.query<SharedRow & CircuitState>(
      'load-shared',
      LOAD_SHARED,
      targetValues(payload),
    );
    return rows[0];
  }

  /** Returns how long the rest must wait at least. */
  private async deliver(
    payload: CheckedPayload,
    chunk: Chunk,
    shared: SharedRow & CircuitState,
    watch: DeliveryWatch,
    stopping: AbortSignal,
  ): Promise<number> {
    const { priority } = payload;
    const circuit = new Circuit(this.database, payload.channel, shared, watch.place, this.telemetry.failures);
    const part = this.sending.part(chunk, { statusWebhook: shared.statusWebhook, priority }, watch);
    const { restMs } = circuit;
    const isProbe = restMs !== null;
    if (isProbe && !(restMs <= 0 && (await this.isDue(payload)) && (await circuit.claimProbe()))) {
      await this.giveUpOld(payload, chunk, circuit, part.outcomes, watch);
      return restMs + jitterMs();
    }
    const nextUsers = this.dueUsers(payload);
    const nextPage = async () => (await nextUsers()).map((user) => ({ part, recipient: user }));
    return this.sending.send({ parts: [part], nextPage, circuit, isProbe, stopping });
  }

  /** Loads the users of the chunk whose message is due, a page at a time. */
  private dueUsers(payload: CheckedPayload): () => Promise<MessageRecipient[]> {
    let { after } = payload;
    return async () => {
      if (after >= payload.last) return [];
      const range = rangeValues({ ...payload, after });
      const values = [...range, USERS_AT_ONCE, payload.checkedAt];
      const { rows } = await this.database.query<MessageRecipient>('load-users', LOAD_USERS, values);
      after = rows.length < USERS_AT_ONCE ? payload.last : rows.at(-1)!.userId;
      return rows;
    };
  }

  private async isDue(payload: CheckedPayload): Promise<boolean> {
    const values = [...rangeValues(payload), 1, payload.checkedAt];
    const { rows } = await this.database.query<MessageRecipient>('load-users', LOAD_USERS, values);
    return rows.length > 0;
  }

  private async skip(
    payload: DeliverPayload,
    gate: Extract<Gate, 'canceled' | 'channel_disabled'>,
    watch: DeliveryWatch,
  ): Promise<undefined> {
    const { rowCount } = await this.database.query('skip-chunk', SKIP_CHUNK, [...rangeValues(payload), gate]);
    watch.skipped(rowCount!);
  }

  /** The channel cannot be used, at least by this worker: its messages are retried until someone fixes the channel. */
  private async postpone(
    payload: CheckedPayload,
    { problem, ...chunk }: UnusableChunk,
    shared: SharedRow,
    watch: DeliveryWatch,
  ): Promise<number> {
    const { statusWebhook } = shared;
    const outcomes = this.sending.outcomes({
      ...{ fallback: chunk.fallback, statusWebhook, priority: payload.priority },
      isLimited: chunk.limits !== null,
    });
    await this.each(payload, async (user, now) => {
      const result = isExpired(chunk.expiresAt, now) ? expired(user) : postponed(user, chunk.patienceMs, problem, now);
      await outcomes.add(result);
      watch.finished(result);
    });
    return 0;
  }

  /** Gives up messages that waited for a failing channel too long: longer than all their attempts would have taken, if it has no patience of its own. */
  private async giveUpOld(
    payload: CheckedPayload,
    { expiresAt, patienceMs }: Chunk,
    { failingSince, reason }: Circuit,
    outcomes: Outcomes,
    watch: DeliveryWatch,
  ): Promise<void> {
    await this.each(payload, async (user, now) => {
      const waitedMs = now.getTime() - user.pendingSince.getTime();
      // The patience with a channel begins when it fails: before, a message may have waited for its turn.
      const failedMs = now.getTime() - (failingSince ?? now).getTime();
      const isOld = patienceMs === null ? waitedMs > LONGEST_SCHEDULE_MS : Math.min(waitedMs, failedMs) >= patienceMs;
      const isLate = isExpired(expiresAt, now);
      if (!isLate && !isOld) return;
      const result = isLate ? expired(user) : gaveUpWaiting(user.id, user.attempts, reason);
      await outcomes.add(result);
      watch.finished(result);
    });
  }

  private async each(
    payload: CheckedPayload,
    work: (user: MessageRecipient, now: Date) => Promise<void>,
  ): Promise<void> {
    const next = this.dueUsers(payload);
    for (let users = await next(); users.length > 0; users = await next()) {
      const now = new Date();
      await Promise.all(users.map((user) => work(user, now)));
    }
  }
}

const expired = ({ id, attempts }: MessageRecipient) => skipped(id, attempts, 'expired');

const postponed = (user: MessageRecipient, patienceMs: number | null, answer: string, now: Date) =>
  judge({ ...user, at: now, durationMs: 0, patienceMs }, { kind: 'retry', answer }, now, Math.random());
