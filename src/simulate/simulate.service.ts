import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../auth/permission.js';
import type { Scope } from '../auth/scope.js';
import { TriggerInput, pastErrors } from '../event/trigger-input.js';
import { dateTimeProblem } from '../field/date-time.js';
import { isObject } from '../field/is-object.js';
import { ConnectionShares } from '../http/limit/connection-shares.js';
import { Shares } from '../http/limit/shares.js';
import { invalid, notFound } from '../http/problem.js';
import { runWhileConnected } from '../http/stream/run-while-connected.js';
import { Simulate } from './simulate.js';
import type { Simulation } from './simulate-result.js';

export const LONGEST_MS = 20_000;
const TOO_LONG = 'The simulation took too long. Limit it to fewer people with options.limit_to.';

/** A simulation may keep a processor of PostgreSQL busy until it is given up. */
const SHARES = { perOrganization: 1, inAll: 4, maxWaiting: 4, waitMs: LONGEST_MS, nouns: 'simulations' };

@Injectable()
export class SimulateService {
  private readonly shares = new Shares(SHARES);

  constructor(
    private readonly input: TriggerInput,
    private readonly simulator: Simulate,
    private readonly connections: ConnectionShares,
  ) {}

  async simulate(scope: Scope, body: unknown, response: Response): Promise<Simulation> {
    const { context, options } = await this.input.read(scope, body, { at: dateTimeProblem });
    const given = isObject(body) && body.at !== undefined ? new Date(body.at as string) : null;
    const past = given ? null : pastErrors(options);
    if (past) throw invalid(past);
    const at = given ?? new Date();
    const { organizationId, eventId } = scope;
    const showsPeople = scope.may(Permission.UserRead);
    const simulation = await runWhileConnected(response, LONGEST_MS, TOO_LONG, (signal) =>
      this.shares.run(organizationId, () =>
        this.connections.run(organizationId, async () => {
          signal.throwIfAborted();
          return this.simulator.run({ organizationId, eventId, context, options, at, signal, showsPeople });
        }),
      ),
    );
    if (!simulation) throw notFound('event');
    return simulation;
  }
}
