import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ContextSchemaService } from '../context-schema/context-schema.service.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { conflict, invalid, outOfReach } from '../../platform/http/problem.js';
import { OccurrenceStore } from '../occurrence/occurrence-store.js';
import type { NewOccurrence } from '../occurrence/occurrence-store.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { UserFields } from '../user/put-users.js';
import { putRecipients } from './put-recipients.js';
import { TriggerInput, pastErrors } from './trigger-input.js';
import { splitRecipients } from './trigger-recipients.js';

const MAX_IDEMPOTENCY_KEY = 255;

export interface Triggered {
  occurrence: string;
  /** Whether an earlier request with the same idempotency key created the occurrence. */
  replayed: boolean;
}

@Injectable()
export class TriggerService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly store: OccurrenceStore,
    private readonly input: TriggerInput,
    private readonly schemas: ContextSchemaService,
    private readonly stored: StoredBytes,
  ) {}

  async trigger(
    scope: Scope,
    body: unknown,
    idempotencyKey: string | undefined,
    isStrict: boolean,
  ): Promise<Triggered> {
    const { context, options } = await this.input.read(scope, body);
    if (options.priority === 'critical') scope.require(Permission.EventTriggerCritical);
    const { stored, users } = splitRecipients(options);
    if (users.length > 0) requireUserWrite(scope);
    if (isStrict) await this.schemas.check(scope, context);
    const [contextText, optionsText] = [JSON.stringify(context), JSON.stringify(options)];
    const occurrence = {
      id: uuidV7(),
      organizationId: scope.organizationId,
      eventId: scope.eventId,
      context: contextText,
      options: users.length > 0 ? JSON.stringify(stored) : optionsText,
      runAt: options.send_at ? new Date(options.send_at) : null,
      hasRecipients: options.recipients !== undefined,
      priority: options.priority ?? 'normal',
      idempotency: readIdempotencyKey(idempotencyKey, contextText + optionsText),
    };
    const past = pastErrors(options, { isKeyed: occurrence.idempotency !== null });
    if (!past && (await this.add(scope, occurrence, users))) return { occurrence: occurrence.id, replayed: false };
    // A request that is sent again is answered as before, also if its times have passed meanwhile.
    const first = await this.firstOf(scope.eventId, occurrence.idempotency);
    if (past && !first) throw invalid(past);
    const problem = first ? null : await this.store.refusalOf(occurrence);
    if (problem) throw invalid({ 'options.recipients': [problem] });
    if (!first || !occurrence.idempotency!.bodyHash.equals(first.bodyHash)) {
      throw conflict('The Idempotency-Key was used before with another body.');
    }
    return { occurrence: first.occurrenceId, replayed: true };
  }

  /** Users are written in the transaction of the occurrence: neither is stored without the other. */
  private add(scope: Scope, occurrence: NewOccurrence, users: UserFields[]): Promise<boolean> {
    if (users.length === 0) return this.store.add(occurrence);
    this.stored.requireSpace(scope.organizationId, scope.quotas);
    return this.store.addWith(actorOf(scope), occurrence, (tx) => putRecipients(tx, scope.organizationId, users));
  }

  /** What an earlier request with the same key has stored. */
  private async firstOf(eventId: number, idempotency: { key: string } | null) {
    if (!idempotency) return null;
    return this.prisma.idempotencyKey.findUnique({ where: { eventId_key: { eventId, key: idempotency.key } } });
  }
}

/** As for creating or changing a user anywhere else. */
function requireUserWrite(scope: Scope): void {
  scope.require(Permission.UserWrite);
  if (scope.key.projectId !== null) throw outOfReach('organization');
}

function readIdempotencyKey(key: string | undefined, body: string): { key: string; bodyHash: Buffer } | null {
  if (key === undefined) return null;
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY) {
    throw invalid({ 'Idempotency-Key': [`must be a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`] });
  }
  return { key, bodyHash: createHash('sha256').update(body).digest() };
}
