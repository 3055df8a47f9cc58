import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { sqlArray } from '../../../platform/database/transaction.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { anyOf } from '../../explain/explain-sentence.js';
import { textIn } from '../../../rules/ruleset/choices.js';
import { hashOfValue } from '../../../rules/thread/resolution.js';
import { AUDIT_OCCURRENCE } from '../occurrence.sql.js';
import { COUNT_OPEN, FIND_TOLD, NOTE_TOLD, STORE_RESOLUTIONS, THREADS_OF_EVENT } from './resolve.sql.js';

interface Trigger {
  organizationId: number;
  eventId: number;
  context: unknown;
  /** The option `resolves_thread`. */
  thread: string | undefined;
  /** `resolves_event` of the event. */
  resolvesEvent: string | null;
}

/** Threads whose steps a trigger ends. */
interface ResolvedThread {
  /** Null: all events of the application. */
  event: number | null;
  /** Null: whatever field the thread is. */
  field: string | null;
  value: string;
}

interface ToldRow {
  told: string[];
}

const columnsOf = (threads: ResolvedThread[]) => ({
  events: threads.map(({ event }) => event),
  fields: threads.map(({ field }) => field),
  values: threads.map(({ value }) => value),
  hashes: threads.map(({ value }) => hashOfValue(value)),
});

/** A thread that a trigger would end. */
interface ThreadToEnd {
  /** The slug of its event; null: all of the application. */
  event: string | null;
  field: string | null;
  value: string;
  /** How many occurrences have open steps about it. */
  occurrences: number;
}

/** Notes in a transaction that an occurrence ends threads. */
export type Resolve = (tx: Transaction, occurrence: string) => Promise<void>;

/** Why a trigger of an event with `resolves_event` ends nothing. */
export type NothingToResolve = { lacks: 'event' | 'thread' } | { lacks: 'value'; fields: string[] };

/** A sentence without its end. */
export function whyNothing(event: string, found: NothingToResolve): string {
  const why = {
    event: `There is no event ${event} in the application`,
    thread: `The event ${event} has no notification with steps and a thread`,
    value: `The context has no value for ${'fields' in found ? anyOf(found.fields) : ''}, the thread of the event ${event}`,
  };
  return why[found.lacks];
}

/** Whether a trigger ends the steps of threads. */
export const resolvesThreads = ({ thread, resolvesEvent }: Pick<Trigger, 'thread' | 'resolvesEvent'>): boolean =>
  thread !== undefined || resolvesEvent !== null;

/**
 * Ends the steps of threads: it notes the trigger. The steps look it up when they are due, so a trigger costs the same however many are open, and
 * also counts for an occurrence that waits to be expanded.
 */
@Injectable()
export class ResolveThreads {
  constructor(private readonly database: Database) {}

  /** Returns a function that notes them in the transaction that stores the occurrence. */
  async by(trigger: Trigger): Promise<Resolve> {
    const { organizationId, eventId } = trigger;
    const threads = await this.threadsOf(trigger);
    return async (tx, occurrence) => {
      if (threads.length === 0) return;
      const { events, fields, values, hashes } = columnsOf(threads);
      await tx.$executeRawUnsafe(STORE_RESOLUTIONS, occurrence, eventId, ...[events, fields, hashes].map(sqlArray));
      await tx.$executeRawUnsafe(AUDIT_OCCURRENCE, 'resolve', organizationId, occurrence);
      const arrays = [events, fields, values, hashes].map(sqlArray);
      const [found] = await tx.$queryRawUnsafe<ToldRow[]>(FIND_TOLD, eventId, ...arrays, occurrence, false);
      if (found && found.told.length > 0) await tx.$executeRawUnsafe(NOTE_TOLD, occurrence, JSON.stringify(found.told));
    };
  }

  /** The users who had a message about the threads that a trigger would resolve. */
  async told(trigger: Omit<Trigger, 'organizationId'>): Promise<string[]> {
    const threads = await this.threadsOf(trigger);
    if (threads.length === 0) return [];
    const { events, fields, values, hashes } = columnsOf(threads);
    const parameters = [trigger.eventId, events, fields, values, hashes, null, true];
    return (await this.database.query<ToldRow>('find-told', FIND_TOLD, parameters)).rows[0]!.told;
  }

  /** The threads that a trigger would end, and how much is open about each. */
  async toEnd(trigger: Omit<Trigger, 'organizationId'>): Promise<ThreadToEnd[]> {
    const threads = await this.threadsOf(trigger);
    if (threads.length === 0) return [];
    const { events, fields, values, hashes } = columnsOf(threads);
    const parameters = [trigger.eventId, events, fields, values, hashes];
    const { rows } = await this.database.query<{ open: number }>('count-open-threads', COUNT_OPEN, parameters);
    return threads.map(({ event, field, value }, i) => ({
      ...{ event: event === null ? null : trigger.resolvesEvent, field, value },
      occurrences: rows[i]?.open ?? 0,
    }));
  }

  private async threadsOf(trigger: Omit<Trigger, 'organizationId'>): Promise<ResolvedThread[]> {
    const { thread } = trigger;
    const ofEvent = await this.ofEvent(trigger);
    return [
      ...(thread === undefined ? [] : [{ event: null, field: null, value: thread }]),
      ...('lacks' in ofEvent ? [] : ofEvent),
    ];
  }

  /** The threads of the event that `resolvesEvent` names, with the values that they have in this context. */
  async ofEvent({
    eventId,
    context,
    resolvesEvent,
  }: Pick<Trigger, 'eventId' | 'context' | 'resolvesEvent'>): Promise<ResolvedThread[] | NothingToResolve> {
    if (resolvesEvent === null) return [];
    type Row = { id: number; fields: string[] };
    const { rows } = await this.database.query<Row>('threads-of-event', THREADS_OF_EVENT, [eventId, resolvesEvent]);
    if (!rows[0]) return { lacks: 'event' };
    const { id, fields } = rows[0];
    if (fields.length === 0) return { lacks: 'thread' };
    const found = fields
      .map((field) => ({ event: id, field, value: textIn(context, field) }))
      .filter(({ value }) => value !== '');
    return found.length > 0 ? found : { lacks: 'value', fields };
  }
}
