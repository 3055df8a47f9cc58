import { Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { dateTimeProblem } from '../../platform/field/date-time.js';
import { isUuid, uuidBound, uuidV7 } from '../../platform/field/uuid-v7.js';
import { emailKey } from '../../platform/field/email.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { OccurrenceStatus, Prisma } from '../../platform/database/generated/prisma/client.js';
import { oneOf } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, invalid, notFound } from '../../platform/http/problem.js';
import { APPROVE, CANCEL, RETRY_ALL, RETRY_ONE } from '../../engine/steer/steer.sql.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { Resolution } from '../../rules/thread/resolution.js';
import { resolutionValues } from '../../rules/thread/resolution.js';
import { LOAD_RESOLUTIONS } from '../../rules/thread/resolution.sql.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { COPY_ATTACHMENTS } from '../attachment/attachment.sql.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceDetailDto, OccurrenceDto, PlacedOccurrenceDto } from './occurrence.dto.js';
import type { OccurrenceFoundRow, OccurrenceRow, CountedOccurrenceRow } from './occurrence.dto.js';
import { ResolveThreads, resolvesThreads, whyNothing } from './resolve/resolve-threads.js';
import {
  AUDIT_OCCURRENCE,
  findOccurrences,
  getOccurrence,
  listOccurrences,
  mergeOccurrences,
  searchOccurrences,
  visibleEvents,
} from './occurrence.sql.js';
import type { ShownOfOccurrences } from './occurrence.sql.js';
import { askingEvents, isOpen } from './step/occurrence-steps.sql.js';
import { MESSAGE_FILTER } from './by-message/by-message.js';
import { searchByMessage } from './by-message/by-message.sql.js';
import { replayOptions } from './replay-options.js';
import type { ApprovedDto, CanceledDto, ReplayDto, ReplayedDto, RetryingDto } from './steer.dto.js';

export const OCCURRENCE_FILTER = {
  status: oneOf(Object.values(OccurrenceStatus)),
  since: dateTimeProblem,
  until: dateTimeProblem,
};

export const MAX_TEXT = 200;

export const ORGANIZATION_OCCURRENCE_FILTER = {
  context: (text: string) =>
    text !== '' && lengthOf(text) <= MAX_TEXT ? null : fieldError('too_long', `must be 1 to ${MAX_TEXT} characters`),
  ...OCCURRENCE_FILTER,
  counts: oneOf(['1']),
  steps: oneOf(['1']),
  open: oneOf(['1']),
  ...MESSAGE_FILTER,
  event: (text: string) =>
    text.split('/').length === 3
      ? null
      : fieldError('invalid_format', 'must be project/application/event, such as shop/web/order-paid'),
};

/** Rows per query of a merged list. Few, because each busy event is read for as many. */
const MERGED_AT_ONCE = 200;

/** How many occurrences a search looks through for a page. Few contexts: one may have 256 KB. Whether one is open needs its context, too. */
const SEARCHED_STATUSES = 50_000;
const SEARCHED_CONTEXTS = 5000;

/** Ids contain the time of the process that created them, `created_at` the time of PostgreSQL. The two clocks may differ by this. */
const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;

const CHANGED_SINCE =
  'The notifications of the event have changed since: some need recipients that the first trigger did not name, or none takes its recipients any more. Trigger the event again.';

const nothing = () => Promise.resolve();

/** Reads, cancels, approves, retries and replays occurrences. Workers update the deliveries: there may be a million of them. */
@Injectable()
export class OccurrenceService {
  constructor(
    /** For reads: lists are long, and a trigger is often followed by a look at its occurrence. */
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly store: OccurrenceStore,
    private readonly telemetry: Telemetry,
    private readonly threads: ResolveThreads,
  ) {}

  /** Newest first, so the next page has lower ids. */
  list(
    { eventId, organizationId }: Scope,
    filter: Filter<typeof OCCURRENCE_FILTER>,
    page: Page,
  ): Listing<OccurrenceRow, OccurrenceDto> {
    const ofEvent = Prisma.sql`event_id = ${eventId} and organization_id = ${organizationId}`;
    const read = async (after: string | null, limit: number) => {
      const conditions = [ofEvent, ...conditionsOf(filter, after)];
      return (await this.database.pool.query<OccurrenceRow>(listOccurrences(conditions, limit))).rows;
    };
    return new Listing(page, read, OccurrenceDto.from, ({ id }) => id);
  }

  /** Of all events that the key sees, newest first. */
  listAll(
    scope: Scope,
    {
      event,
      context,
      counts,
      steps,
      open,
      outcome,
      reason,
      channel,
      domain,
      ...filter
    }: Filter<typeof ORGANIZATION_OCCURRENCE_FILTER>,
    page: Page,
  ): Listing<CountedOccurrenceRow, PlacedOccurrenceDto> {
    const visible = visibleEvents(scope, event?.split('/') ?? null);
    const events = open === null ? visible : askingEvents(visible);
    const shown = { counts: counts !== null, stepsIn: steps === null ? null : scope.organizationId };
    const { status } = filter;
    const messages = { outcome, reason, channel, domain: domain?.toLowerCase() ?? null };
    const isByMessage = Object.values(messages).some((each) => each !== null);
    // An index holds only those that are held.
    const isHeld = Prisma.sql`organization_id = ${scope.organizationId} and held_at is not null and status = 'held'`;
    const indexed = status === 'held' ? [isHeld] : [];
    const tests = [
      ...(status === null || status === 'held' ? [] : [Prisma.sql`status = ${status}::occurrence_status`]),
      ...(context === null ? [] : [Prisma.sql`strpos(lower(context::text), lower(${context})) > 0`]),
      ...(open === null ? [] : [isOpen('found')]),
    ];
    const read = async (after: string | null, limit: number) => {
      const conditions = [...indexed, ...conditionsOf({ ...filter, status: null }, after)];
      if (isByMessage) {
        const span = spanOf(filter, after);
        return this.search(searchByMessage(scope, events, messages, span, conditions, tests, limit), shown);
      }
      if (tests.length > 0) {
        const most = context === null && open === null ? SEARCHED_STATUSES : SEARCHED_CONTEXTS;
        const found = searchOccurrences(events, conditions, Prisma.join(tests, ' and '), most, limit);
        return this.search(found, shown);
      }
      return this.placed(mergeOccurrences(events, conditions, limit, shown));
    };
    return new Listing(page, read, PlacedOccurrenceDto.from, ({ id }) => id, MERGED_AT_ONCE);
  }

  private async search(statement: Prisma.Sql, shown: ShownOfOccurrences): Promise<FoundRows<CountedOccurrenceRow>> {
    const { rows: found } = await this.database.pool.query<{ end: string | null; ids: string[] }>(statement);
    const { end, ids } = found[0]!;
    return { rows: ids.length === 0 ? [] : await this.placed(findOccurrences(ids, shown)), goesOnAt: end };
  }

  private async placed(statement: Prisma.Sql): Promise<CountedOccurrenceRow[]> {
    return (await this.database.pool.query<CountedOccurrenceRow>(statement)).rows;
  }

  /** One statement, so that the counts match the status. PostgreSQL counts the deliveries: there may be a million of them. */
  async get({ occurrenceId, organizationId }: Scope): Promise<OccurrenceDetailDto> {
    const { rows } = await this.database.pool.query<OccurrenceFoundRow>(getOccurrence(organizationId, occurrenceId));
    const [row] = rows;
    if (!row) throw notFound('occurrence');
    const values = resolutionValues(row.id, row.followed, row.context);
    const resolutions = values
      ? (await this.database.query<Resolution>('load-resolutions', LOAD_RESOLUTIONS, values)).rows
      : [];
    return OccurrenceDetailDto.from({ ...row, resolutions, nothingEnded: await this.whyNothingEnded(row) });
  }

  private async whyNothingEnded({
    eventId,
    context,
    resolvesEvent,
    ended,
  }: OccurrenceFoundRow): Promise<string | null> {
    if (resolvesEvent === null || ended.length > 0) return null;
    const found = await this.threads.ofEvent({ eventId, context, resolvesEvent });
    return 'lacks' in found ? `${whyNothing(resolvesEvent, found)}: the trigger ended no steps.` : null;
  }

  async cancel(scope: Scope): Promise<CanceledDto> {
    const { organizationId, occurrenceId } = scope;
    return this.audited(scope, 'cancel', async (tx) => {
      type Row = { before: string; stopped: boolean };
      const [row] = await tx.$queryRawUnsafe<Row[]>(CANCEL, occurrenceId, organizationId);
      if (!row) throw notFound('occurrence');
      if (!row.stopped && row.before !== 'canceled')
        throw conflict('The occurrence is finished: there is nothing left to cancel.');
      return { occurrence: occurrenceId, status: 'canceled' };
    });
  }

  async approve(scope: Scope): Promise<ApprovedDto> {
    const { organizationId, occurrenceId } = scope;
    return this.audited(scope, 'approve', async (tx) => {
      type Row = { before: string; approved: boolean };
      const [row] = await tx.$queryRawUnsafe<Row[]>(APPROVE, occurrenceId, organizationId);
      if (!row) throw notFound('occurrence');
      if (!row.approved) throw conflict(`Only an occurrence that is held can be approved; this one is ${row.before}.`);
      return { occurrence: occurrenceId, status: 'pending' };
    });
  }

  async retry(scope: Scope, delivery?: number): Promise<RetryingDto> {
    const { occurrenceId, organizationId } = scope;
    const [text, values] = delivery === undefined ? [RETRY_ALL, []] : [RETRY_ONE, [delivery]];
    return this.audited(scope, 'retry', async (tx) => {
      type Row = { occurrence: string; delivery: string | null; retrying: number };
      const [row] = await tx.$queryRawUnsafe<Row[]>(text, occurrenceId, organizationId, ...values);
      if (!row) throw notFound('occurrence');
      if (row.occurrence === 'canceled') throw conflict('The occurrence was canceled. Replay it to send it again.');
      if (delivery !== undefined && row.delivery === null) throw notFound('delivery');
      if (delivery !== undefined && row.retrying === 0)
        throw conflict(`Only a dead delivery can be tried again; this one is ${row.delivery}.`);
      return { retrying: row.retrying };
    });
  }

  async replay(scope: Scope, chosen: ReplayDto): Promise<ReplayedDto> {
    const { organizationId, occurrenceId, path } = scope;
    const startedAt = Date.now();
    const first = await this.prisma.occurrence.findFirst({
      where: { id: occurrenceId, organizationId },
      select: { eventId: true, context: true, options: true, event: { select: { resolvesEvent: true } } },
    });
    if (!first) throw notFound('occurrence');
    const options = replayOptions(first.options as TriggerOptions, chosen);
    await this.requireKnown(organizationId, first.eventId, chosen);
    if (options.priority === 'critical') scope.require(Permission.EventTriggerCritical);
    const occurrence = uuidV7();
    const repeated = {
      id: occurrence,
      organizationId,
      eventId: first.eventId,
      context: JSON.stringify(first.context),
      options: JSON.stringify(options),
      hasRecipients: options.recipients !== undefined,
      runAt: null,
      priority: options.priority ?? 'normal',
      idempotency: null,
    };
    const trigger = {
      ...{ organizationId, eventId: first.eventId, context: first.context },
      ...{ thread: options.resolves_thread, resolvesEvent: first.event.resolvesEvent },
    };
    // What is sent again to some says nothing new about the thread to all others.
    const resolve = !chosen.limit_to && resolvesThreads(trigger) ? await this.threads.by(trigger) : undefined;
    const isStored =
      options.attachments || resolve
        ? await this.store.addWith(actorOf(scope), repeated, nothing, async (tx) => {
            if (options.attachments) await tx.$executeRawUnsafe(COPY_ATTACHMENTS, occurrenceId, occurrence);
            await resolve?.(tx, occurrence);
          })
        : await this.store.add(repeated);
    if (!isStored) throw conflict(CHANGED_SINCE);
    const attributes = { 'carillon.organization': path.org ?? '', 'carillon.occurrence.id': occurrence };
    this.telemetry.traces?.triggered({ occurrence, startedAt, attributes, replayOf: occurrenceId });
    return this.audited(scope, 'replay', () => Promise.resolve({ occurrence }));
  }

  /** Each name that is unknown is a mistake, and would reach nobody. */
  private async requireKnown(organizationId: number, eventId: number, { limit_to, notifications }: ReplayDto) {
    const errors: FieldErrors = {};
    const keys = [...new Set(limit_to?.map(emailKey))];
    const unknown = keys.length > 0 ? await this.store.unknownOf(organizationId, keys) : [];
    if (unknown.length > 0)
      errors.limit_to = unknown.map((key) => fieldError('not_found', `${key} is not a user of the organization`));
    const found = notifications
      ? await this.prisma.notification.findMany({ where: { eventId, organizationId }, select: { name: true } })
      : [];
    const missing = notifications?.filter((name) => !found.some((each) => each.name === name)) ?? [];
    if (missing.length > 0)
      errors.notifications = missing.map((name) =>
        fieldError('not_found', `"${name.slice(0, 100)}" is not a notification of the event`),
      );
    if (hasErrors(errors)) throw invalid(errors);
  }

  /** Writes the audit entry. A database trigger would also run for every write of the workers. */
  private audited<Result>(scope: Scope, verb: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.prisma.change(actorOf(scope), async (tx) => {
      const result = await work(tx);
      await tx.$executeRawUnsafe(AUDIT_OCCURRENCE, verb, scope.organizationId, scope.occurrenceId);
      return result;
    });
  }
}

/** The time in which a search looks. Ids begin with their time. */
function spanOf({ since, until }: Pick<Filter<typeof OCCURRENCE_FILTER>, 'since' | 'until'>, after: string | null) {
  const cursor = after === null ? [] : [Number.parseInt(after.replaceAll('-', '').slice(0, 12), 16) + 1];
  const ends = until === null ? cursor : [...cursor, new Date(until).getTime() + MAX_CLOCK_SKEW_MS];
  return {
    since: since === null ? null : new Date(new Date(since).getTime() - MAX_CLOCK_SKEW_MS),
    until: ends.length === 0 ? null : new Date(Math.min(...ends)),
  };
}

function conditionsOf({ status, since, until }: Filter<typeof OCCURRENCE_FILTER>, after: string | null): Prisma.Sql[] {
  if (after !== null && !isUuid(after)) throw badCursor();
  const conditions = after === null ? [] : [Prisma.sql`id < ${after}::uuid`];
  if (status !== null) conditions.push(Prisma.sql`status = ${status}::occurrence_status`);
  // No index contains `created_at`. The index of the event contains the ids, which are ordered by time: they exclude most other rows.
  if (since !== null) {
    const from = new Date(since);
    conditions.push(Prisma.sql`created_at >= ${from} and id >= ${uuidBound(from.getTime() - MAX_CLOCK_SKEW_MS)}::uuid`);
  }
  if (until !== null) {
    const to = new Date(until);
    conditions.push(Prisma.sql`created_at < ${to} and id < ${uuidBound(to.getTime() + MAX_CLOCK_SKEW_MS)}::uuid`);
  }
  return conditions;
}
