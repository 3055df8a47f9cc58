import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import type { Scope } from '../../auth/scope.js';
import { TriggerInput, pastErrors } from '../event/trigger-input.js';
import { withNames } from '../event/trigger-recipients.js';
import { dateTimeProblem } from '../../platform/field/date-time.js';
import { isObject } from '../../platform/field/is-object.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { readBody } from '../../platform/http/body/body.pipe.js';
import { DEFAULT_LIMIT_KB } from '../../platform/http/body/json-body.guard.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { Problem, invalid, invalidField, notFound, payloadTooLarge } from '../../platform/http/problem.js';
import { fieldError, within } from '../../platform/field/error/field-error.js';
import { runWhileConnected } from '../../platform/http/stream/run-while-connected.js';
import { NotificationChanges } from '../notification/notification-changes.js';
import type { Draft } from '../notification/notification-changes.js';
import { CreateNotificationDto, UpdateNotificationDto } from '../notification/notification.dto.js';
import { Simulate } from './simulate.js';
import type { SimulationDto } from './simulate.dto.js';

export const LONGEST_MS = 20_000;
const TOO_LONG = 'The simulation took too long. Limit it to fewer users with options.limit_to.';

/** A simulation may keep a processor of PostgreSQL busy until it is given up. */
const LIMITS = { perOrganization: 1, inAll: 4, maxWaiting: 4, waitMs: LONGEST_MS, refusal: tooMany('simulations') };

@Injectable()
export class SimulateService {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    private readonly input: TriggerInput,
    private readonly simulator: Simulate,
    private readonly changes: NotificationChanges,
    private readonly connections: ConnectionShares,
  ) {}

  async simulate(scope: Scope, body: unknown, response: Response): Promise<SimulationDto> {
    const extraFields = { at: dateTimeProblem, notification: objectProblem };
    const { context, options } = await this.input.read(scope, body, extraFields);
    const given = isObject(body) && body.at !== undefined ? new Date(body.at as string) : null;
    const past = given ? null : pastErrors(options);
    if (past) throw invalid(past);
    const at = given ?? new Date();
    const draft = isObject(body) && isObject(body.notification) ? body.notification : null;
    checkSize({ context, options }, draft);
    if (draft) scope.require(Permission.NotificationWrite);
    const { organizationId, eventId } = scope;
    const showsUsers = scope.may(Permission.UserRead);
    const simulation = await runWhileConnected(response, LONGEST_MS, TOO_LONG, (signal) =>
      this.limiter.run(organizationId, () =>
        this.connections.run(organizationId, async () => {
          signal.throwIfAborted();
          const drafted = draft ? await this.rulesWith(scope, draft) : undefined;
          return this.simulator.run({
            organizationId,
            eventId,
            context,
            options: withNames(options),
            drafted,
            at,
            signal,
            showsUsers,
          });
        }),
      ),
    );
    if (!simulation) throw notFound('event');
    return simulation;
  }

  /** The rules of the event with the draft of one of them. Its errors are named as the body names it. */
  private async rulesWith(scope: Scope, { id, ...fields }: Record<string, unknown>): Promise<Draft> {
    try {
      if (id === undefined) return await this.changes.draft(scope, null, readBody(CreateNotificationDto, fields));
      const number = typeof id === 'number' ? positiveInt(String(id)) : null;
      if (number === null) throw invalidField('id', 'invalid_format', 'must be the id of a notification');
      return await this.changes.draft(scope, number, readBody(UpdateNotificationDto, fields));
    } catch (error) {
      if (!(error instanceof Problem) || !error.errors) throw error;
      throw invalid(within('notification', error.errors));
    }
  }
}

const objectProblem = (value: unknown) => (isObject(value) ? null : fieldError('invalid_type', 'must be an object'));

/** The body may be larger than that of a trigger, but only by a draft. */
function checkSize(trigger: object, draft: object | null): void {
  if (Buffer.byteLength(JSON.stringify(trigger)) > DEFAULT_LIMIT_KB * 1024)
    throw payloadTooLarge(DEFAULT_LIMIT_KB, draft ? 'body without its notification' : undefined);
}
