import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { futureProblem } from '../../platform/field/date-time.js';
import { suggest } from '../../platform/field/error/closest.js';
import { invalid } from '../../platform/http/problem.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { lastSendTime, sendTime } from '../../platform/send-at.js';
import type { SendAt } from '../../platform/send-at.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { readTriggerBody } from './trigger-body.js';
import type { FieldChecks, TriggerBody } from './trigger-body.js';
import { namesTimeZones } from './trigger-recipients.js';
import type { TriggerOptionsDto } from './trigger.dto.js';

/** Reads and checks the body of a trigger. Trigger and simulate share it, so both refuse the same bodies. */
@Injectable()
export class TriggerInput {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** `extraFields`: fields that the body may have in addition to those of a trigger. */
  async read(scope: Scope, body: unknown, extraFields?: FieldChecks): Promise<TriggerBody> {
    const zones = namesTimeZones(body) ? await knownTimeZones(this.prisma) : undefined;
    const input = readTriggerBody(body, extraFields, zones);
    checkSendAt(scope, input.options.send_at);
    const { channels } = input.options;
    const problems = channels ? await channelProblems(this.prisma, this.dispatchers, scope, channels) : [];
    if (problems.length > 0) throw invalid({ 'options.channels': problems });
    return input;
  }
}

/** The problems with unknown names: each is a mistake. A channel type without a channel is accepted, and reaches nobody. */
export async function channelProblems(
  client: Transaction,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  { organizationId, projectId }: { organizationId: number; projectId: number },
  names: string[],
): Promise<FieldError[]> {
  const find = async (slug?: { in: string[] }) => {
    const where = { organizationId, OR: [{ projectId }, { projectId: null }], slug };
    const rows = await client.channel.findMany({ where, select: { slug: true } });
    return new Set<string>([...dispatchers.keys(), ...rows.map(({ slug: each }) => each)]);
  };
  const found = await find({ in: names });
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0) return [];
  const known = [...(await find())].sort();
  return unknown.map((name) =>
    fieldError('not_found', `"${name}" is not a channel or a channel type${suggest(name, known)}`),
  );
}

const DAY_MS = 86_400_000;

/** An occurrence is kept at least until it is sent, so without a limit it could be kept forever. */
function checkSendAt({ quotas: { send_at_days: days } }: Scope, sendAt: SendAt | undefined): void {
  if (sendAt === undefined || sendTime(sendAt) <= Date.now() + days * DAY_MS) return;
  const problem = `must be within ${days} days from now, the organization's quota send_at_days: trigger the event later, or ask the operator for a higher quota`;
  throw invalid({ 'options.send_at': [fieldError('out_of_range', problem)] }, 'send_at_days');
}

/** The clocks of two machines differ: a `send_at` of a moment ago means now. */
const MAX_PAST_MS = 60_000;

/**
 * The problems with times that have passed, or null. A message for a past time would be sent at once or never, both by mistake. A request with an
 * `Idempotency-Key` may be one that is sent again because it was not stored when its `send_at` was still to come. As long as such a key lives, it
 * is accepted and sent at once.
 */
export function pastErrors(
  { send_at: sendAt, expires_at: expiresAt }: TriggerOptionsDto,
  { isKeyed = false } = {},
): FieldErrors | null {
  const errors: FieldErrors = {};
  if (sendAt !== undefined && lastSendTime(sendAt) < Date.now() - (isKeyed ? DAY_MS : MAX_PAST_MS)) {
    const most = isKeyed ? '24 hours' : 'a minute';
    errors['options.send_at'] = [
      fieldError('out_of_range', `must not be more than ${most} in the past: leave it out to send at once`),
    ];
  }
  const problem = expiresAt === undefined ? null : futureProblem(expiresAt);
  if (problem) errors['options.expires_at'] = [problem];
  return hasErrors(errors) ? errors : null;
}
