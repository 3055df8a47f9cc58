import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ContextSchemaService } from '../context-schema/context-schema.service.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { emailKey } from '../../platform/field/email.js';
import { conflict, invalid, invalidField, notFound, outOfReach } from '../../platform/http/problem.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { firstSendTime } from '../../platform/send-at.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { OccurrenceStore } from '../occurrence/occurrence-store.js';
import type { NewOccurrence, StoredOccurrence } from '../occurrence/occurrence-store.js';
import { ResolveThreads, resolvesThreads } from '../occurrence/resolve/resolve-threads.js';
import type { Resolve } from '../occurrence/resolve/resolve-threads.js';
import { LogThrottle } from '../../platform/http/log-throttle.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { AttachFiles } from '../attachment/attach-files.js';
import type { Attached } from '../attachment/attach-files.js';
import { putRecipients } from './put-recipients.js';
import { TriggerInput, pastErrors } from './trigger-input.js';
import { withNames } from './trigger-recipients.js';
import type { RecipientFields } from './trigger-recipients.js';
import type { TriggerOptionsDto } from './trigger.dto.js';

const MAX_IDEMPOTENCY_KEY = 255;

export interface Triggered {
  occurrence: string;
  /** Whether an earlier request with the same idempotency key created the occurrence. */
  replayed: boolean;
  /** The keys of the first names in the options that are not users. */
  unknown: string[];
}

@Injectable()
export class TriggerService {
  private readonly logger = new Logger('Trigger');
  private readonly throttle = new LogThrottle();

  constructor(
    private readonly prisma: PrismaService,
    private readonly store: OccurrenceStore,
    private readonly input: TriggerInput,
    private readonly schemas: ContextSchemaService,
    private readonly stored: StoredBytes,
    private readonly attachments: AttachFiles,
    private readonly threads: ResolveThreads,
  ) {}

  async trigger(
    scope: Scope,
    body: unknown,
    idempotencyKey: string | undefined,
    isStrict: boolean,
    /** Whether names that are not users are refused. */
    isKnown = false,
  ): Promise<Triggered> {
    const { context, options, users } = await this.input.read(scope, body);
    if (options.priority === 'critical') scope.require(Permission.EventTriggerCritical);
    const stored = withNames(options);
    if (users.length > 0) requireUserWrite(scope);
    if (isStrict) await this.schemas.check(scope, context);
    if (isKnown && namedIn(stored)) await this.requireUsers(scope, stored, users);
    const [contextText, optionsText] = [JSON.stringify(context), JSON.stringify(options)];
    const idempotency = readIdempotencyKey(idempotencyKey, contextText + optionsText);
    // Before the files are checked: uploads may have expired since the first request.
    const earlier = options.attachments ? await this.firstOf(scope.eventId, idempotency) : null;
    if (earlier) return replayOf(earlier, idempotency);
    const attached = await this.attachedTo(scope, options);
    const isSame = users.length === 0 && !attached;
    const occurrence = {
      ...occurrenceOf(
        scope,
        contextText,
        isSame ? optionsText : JSON.stringify({ ...stored, ...filesOf(attached) }),
        stored,
      ),
      idempotency,
    };
    const past = pastErrors(options, { isKeyed: idempotency !== null });
    const resolve = past ? undefined : await this.resolves(scope, context, stored);
    const made = past ? null : await this.add(scope, occurrence, users, attached, resolve);
    if (made) return { occurrence: occurrence.id, replayed: false, unknown: this.told(scope, occurrence.id, made) };
    // A request that is sent again is answered as before, also if its times have passed meanwhile.
    const first = await this.firstOf(scope.eventId, idempotency);
    if (past && !first) throw invalid(past);
    const problem = first ? null : await this.store.refusalOf(occurrence);
    if (problem) throw invalid({ 'options.recipients': [problem] });
    return replayOf(first, idempotency);
  }

  /** Triggers in one transaction with other work, which gets the id of the occurrence. Returns the id. */
  async triggerWith(
    scope: Scope,
    body: unknown,
    work: (tx: Transaction, occurrence: string) => Promise<void>,
  ): Promise<string> {
    const { context, options } = await this.input.read(scope, body);
    const attached = await this.attachedTo(scope, options);
    const stored = { ...withNames(options), ...filesOf(attached) };
    const occurrence = occurrenceOf(scope, JSON.stringify(context), JSON.stringify(stored), stored);
    const resolve = await this.resolves(scope, context, stored);
    const made = await this.store.addWith(
      actorOf(scope),
      occurrence,
      (tx) => work(tx, occurrence.id),
      async (tx) => {
        await attached?.write(tx, occurrence.id);
        await resolve?.(tx, occurrence.id);
      },
    );
    if (made) {
      this.told(scope, occurrence.id, made);
      return occurrence.id;
    }
    const problem = await this.store.refusalOf(occurrence);
    throw problem ? invalid({ 'options.recipients': [problem] }) : notFound('event');
  }

  private async attachedTo(scope: Scope, { attachments, channels }: TriggerOptionsDto): Promise<Attached | undefined> {
    return attachments && this.attachments.check(scope, attachments, channels);
  }

  /** Returns what notes the threads whose steps the trigger ends; undefined: there are none, as for most triggers. */
  private async resolves(
    { organizationId, eventId, resolvesEvent }: Scope,
    context: Record<string, unknown>,
    { resolves_thread: thread }: TriggerOptions,
  ): Promise<Resolve | undefined> {
    const trigger = { organizationId, eventId, context, thread, resolvesEvent };
    return resolvesThreads(trigger) ? this.threads.by(trigger) : undefined;
  }

  /** Users, files and the threads that it ends are written in the transaction of the occurrence: none of them is stored without the others. */
  private add(
    scope: Scope,
    occurrence: NewOccurrence,
    users: RecipientFields[],
    attached: Attached | undefined,
    resolve: Resolve | undefined,
  ): Promise<StoredOccurrence | null> {
    const storesMore = users.length > 0 || attached !== undefined;
    if (!storesMore && !resolve) return this.store.add(occurrence);
    if (storesMore) this.stored.requireSpace(scope.organizationId, scope.quotas);
    return this.store.addWith(
      actorOf(scope),
      occurrence,
      async (tx) => {
        if (users.length > 0) await putRecipients(tx, scope.organizationId, users);
      },
      async (tx) => {
        await attached?.write(tx, occurrence.id);
        await resolve?.(tx, occurrence.id);
      },
    );
  }

  /** The operator reads of names that are not users, too: most are a mistake. */
  private told({ path }: Scope, occurrence: string, { unknown }: StoredOccurrence): string[] {
    if (unknown.length === 0) return unknown;
    const line = { organization: path.org, event: path.evt, occurrence, unknown: unknown.length };
    this.throttle.log(`${path.org}/${path.evt}`, (more) =>
      this.logger.warn({ message: 'a trigger names unknown users', ...line, ...more }),
    );
    return unknown;
  }

  private async requireUsers(scope: Scope, stored: TriggerOptions, users: RecipientFields[]): Promise<void> {
    const created = new Set(users.map(({ email }) => emailKey(email)));
    const errors: FieldErrors = {};
    for (const option of ['recipients', 'limit_to'] as const) {
      const keys = (stored[option] ?? []).map(emailKey).filter((key) => !created.has(key));
      const unknown = keys.length > 0 ? await this.store.unknownOf(scope.organizationId, keys) : [];
      if (unknown.length > 0)
        errors[`options.${option}`] = unknown.map((key) =>
          fieldError('not_found', `${key} is not a user of the organization`),
        );
    }
    if (hasErrors(errors)) throw invalid(errors);
  }

  /** What an earlier request with the same key has stored. */
  private async firstOf(eventId: number, idempotency: { key: string } | null) {
    if (!idempotency) return null;
    return this.prisma.idempotencyKey.findUnique({ where: { eventId_key: { eventId, key: idempotency.key } } });
  }
}

/** The answer to a request whose key was used before. */
function replayOf(
  first: { occurrenceId: string; bodyHash: Uint8Array } | null,
  idempotency: { bodyHash: Buffer } | null,
): Triggered {
  if (!first || !idempotency?.bodyHash.equals(first.bodyHash))
    throw conflict('The Idempotency-Key was used before with another body.');
  return { occurrence: first.occurrenceId, replayed: true, unknown: [] };
}

const filesOf = (attached: Attached | undefined) => attached && { attachments: attached.attachments };

/** A new occurrence. `context` and `options` are JSON. */
const occurrenceOf = (scope: Scope, context: string, options: string, stored: TriggerOptions): NewOccurrence => ({
  id: uuidV7(),
  organizationId: scope.organizationId,
  eventId: scope.eventId,
  ...{ context, options },
  runAt: stored.send_at ? new Date(firstSendTime(stored.send_at)) : null,
  hasRecipients: stored.recipients !== undefined,
  names: namedIn(stored),
  priority: stored.priority ?? 'normal',
  idempotency: null,
});

/** The keys of the users that the options name; undefined: none. */
function namedIn({ recipients, limit_to: limitTo }: TriggerOptions): string[] | undefined {
  return recipients || limitTo ? [...new Set([...(recipients ?? []), ...(limitTo ?? [])].map(emailKey))] : undefined;
}

/** As for creating or changing a user anywhere else. */
function requireUserWrite(scope: Scope): void {
  scope.require(Permission.UserWrite);
  if (scope.key.projectId !== null) throw outOfReach('organization');
}

function readIdempotencyKey(key: string | undefined, body: string): { key: string; bodyHash: Buffer } | null {
  if (key === undefined) return null;
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY) {
    throw invalidField('Idempotency-Key', 'too_long', `must be a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`);
  }
  return { key, bodyHash: createHash('sha256').update(body).digest() };
}
