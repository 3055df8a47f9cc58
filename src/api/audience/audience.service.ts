import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../../auth/scope.js';
import { Database } from '../../platform/database/database.js';
import { hasErrors } from '../../platform/field/error/field-error.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { invalid } from '../../platform/http/problem.js';
import { runWhileConnected } from '../../platform/http/stream/run-while-connected.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { audienceErrors } from '../../rules/condition/audience-check.js';
import { USER_FILTERS, conditionOf } from '../user/search/user-filter.js';
import type { UserFilter } from '../user/search/user-filter.js';
import type { PreviewAudienceDto, PreviewedAudienceDto } from './audience.dto.js';
import { LATEST_FIELDS, matchingUsers } from './audience.sql.js';
import { knownFields } from './custom-fields.js';

const COUNT_MS = 3_000;
const LONGEST_MS = 20_000;
const TOO_LONG = 'Counting the users took too long.';

/** A count may keep a processor of PostgreSQL busy. Somebody who types asks again before the last answer is there. */
const LIMITS = { perOrganization: 1, inAll: 4, maxWaiting: 4, waitMs: LONGEST_MS, refusal: tooMany('audiences') };

/** The first part is small, because custom fields may be large. A part that was fast is followed by one of twice the size. */
const FIRST_PART = 500;
const LARGEST_PART = 20_000;
const FAST_MS = 100;

const MAX_SAMPLE = 10;
const LATEST_USERS = 500;
const MAX_FIELDS_BYTES = 4_096;

interface Part {
  last: number | null;
  checked: number;
  matching: number;
  sample: string[];
}

@Injectable()
export class AudienceService {
  private readonly limiter = new TenantLimiter<number>(LIMITS);

  constructor(
    private readonly database: Database,
    private readonly connections: ConnectionShares,
  ) {}

  async preview(scope: Scope, body: PreviewAudienceDto, response: Response): Promise<PreviewedAudienceDto> {
    const filter = readFilter(body);
    const { organizationId } = scope;
    return runWhileConnected(response, LONGEST_MS, TOO_LONG, (signal) =>
      this.limiter.run(organizationId, () =>
        this.connections.run(organizationId, async () => ({
          ...(await this.count(organizationId, filter, signal)),
          custom_fields: knownFields(await this.latestFields(organizationId)),
        })),
      ),
    );
  }

  private async count(organizationId: number, filter: UserFilter, signal: AbortSignal) {
    const condition = conditionOf(organizationId, filter);
    const text = matchingUsers(condition ? numberedFrom(5, condition.text) : 'true');
    const values = condition?.values ?? [];
    const found = { users: 0, checked: 0, complete: false, sample: [] as string[] };
    const until = Date.now() + COUNT_MS;
    for (let after = 0, limit = FIRST_PART; ;) {
      signal.throwIfAborted();
      const began = Date.now();
      const shown = MAX_SAMPLE - found.sample.length;
      const { rows } = await this.database.pool.query<Part>(text, [[organizationId], after, limit, shown, ...values]);
      const { last, checked, matching, sample } = rows[0]!;
      found.users += matching;
      found.checked += checked;
      found.sample.push(...sample);
      if (checked < limit) return { ...found, complete: true };
      if (Date.now() > until) return found;
      after = last!;
      if (Date.now() - began < FAST_MS) limit = Math.min(limit * 2, LARGEST_PART);
    }
  }

  private async latestFields(organizationId: number) {
    const values = [[organizationId], LATEST_USERS, MAX_FIELDS_BYTES];
    const { rows } = await this.database.query<{ fields: Record<string, unknown> }>(
      'latest-fields',
      LATEST_FIELDS,
      values,
    );
    return rows.map(({ fields }) => fields);
  }
}

/** A body names its filters as the list of users does. */
function readFilter({ audience, search, list, locale }: PreviewAudienceDto): UserFilter {
  const errors = audience ? audienceErrors(audience) : {};
  const given = { search: search ?? null, list: list === undefined ? null : String(list), locale: locale ?? null };
  for (const [name, value] of Object.entries(given)) {
    const problem = value === null ? null : USER_FILTERS[name as keyof typeof given](value);
    if (problem) errors[name] = [problem];
  }
  if (hasErrors(errors)) throw invalid(errors);
  return { ...given, audience: audience ? JSON.stringify(audience) : null };
}

const numberedFrom = (first: number, sql: string) =>
  sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + first - 1}`);
