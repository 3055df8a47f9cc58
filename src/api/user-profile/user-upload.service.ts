import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { isDataError, outageOf } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { CommitGate } from '../../platform/http/limit/commit-gate.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import { Problem, forbidden, invalidField } from '../../platform/http/problem.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { mergeUsers, putProfiles } from './profile.write.js';
import { readChanges, readProfile } from './read-profile.js';
import type { UserProfile } from './read-profile.js';
import { batchesOf, linesOf } from './upload-lines.js';
import type { UploadedProfile } from './upload-lines.js';
import { UploadReport } from './upload-report.js';
import { MAX_PROFILE_KB } from './user-profile.dto.js';

const MAX_LINES = 50_000;

/** For a connection: to refuse a batch would lose its lines. */
const WAIT_MS = 60_000;

interface UploadOptions {
  /** Whether a line changes only what it has. */
  merge: boolean;
  dryRun: boolean;
}

/** Writes users line by line, in batches. Each batch is a change like any other: in between, others get their turn. */
@Injectable()
export class UserUploadService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly shares: ConnectionShares,
    private readonly commits: CommitGate,
    private readonly stored: StoredBytes,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  async import(scope: Scope, body: Buffer, options: UploadOptions, response: Response): Promise<void> {
    const lines = linesOf(body);
    if (lines.length > MAX_LINES) throw invalidField('body', 'too_many', `must have at most ${MAX_LINES} lines`);
    const known = { zones: await knownTimeZones(this.prisma), dispatchers: this.dispatchers };
    const read = (value: unknown, addError: AddError) => {
      const profile = options.merge
        ? readChanges(value, known.zones, addError)
        : readProfile(value, null, known, addError);
      refuseParts(scope, profile, addError);
      return profile;
    };
    const report = new UploadReport(response);
    const refuse = (line: number, errors: FieldErrors) => report.refuse(line, errors);
    try {
      for (const batch of batchesOf(lines, MAX_PROFILE_KB * 1024, read, refuse)) {
        if (response.destroyed) return;
        this.stored.requireSpace(scope.organizationId, scope.quotas);
        report.add(await this.put(scope, batch, options, refuse));
        await setImmediate();
      }
      report.end();
    } catch (error) {
      const detail = error instanceof Problem ? error.detail : outageOf(error)?.detail;
      if (detail === undefined) throw error;
      report.end(detail);
    }
  }

  /** Writes the users of a batch that are not refused. */
  private async put(
    scope: Scope,
    batch: UploadedProfile[],
    options: UploadOptions,
    refuse: (line: number, errors: FieldErrors) => void,
  ): Promise<{ created: number; written: number }> {
    let left = batch;
    while (left.length > 0) {
      try {
        return { created: await this.change(scope, left, options), written: left.length };
      } catch (error) {
        if (isDataError(error) && left.length > 1) return this.putEach(scope, left, options, refuse);
        if (!(error instanceof RefusedProfiles) && !isDataError(error)) throw error;
        const refused =
          error instanceof RefusedProfiles ? error.refused : [{ profile: left[0]!, errors: CANNOT_STORE }];
        for (const { profile, errors } of refused) refuse(profile.line, errors);
        const lines = new Set(refused.map(({ profile }) => profile.line));
        left = left.filter(({ line }) => !lines.has(line));
      }
    }
    return { created: 0, written: 0 };
  }

  /** One line that PostgreSQL does not accept must not lose the others. */
  private async putEach(
    scope: Scope,
    batch: UploadedProfile[],
    options: UploadOptions,
    refuse: (line: number, errors: FieldErrors) => void,
  ): Promise<{ created: number; written: number }> {
    const sum = { created: 0, written: 0 };
    for (const profile of batch) {
      const { created, written } = await this.put(scope, [profile], options, refuse);
      sum.created += created;
      sum.written += written;
    }
    return sum;
  }

  /** Returns how many users are new. Throws those that are refused: then nothing of the batch was written. */
  private async change(scope: Scope, batch: UploadedProfile[], { merge, dryRun }: UploadOptions): Promise<number> {
    const { organizationId } = scope;
    const work = () =>
      this.prisma.change(actorOf(scope), async (tx) => {
        const { created, refused } = await (merge ? mergeUsers : putProfiles)(tx, organizationId, batch);
        if (refused.length > 0) throw new RefusedProfiles(refused);
        if (dryRun) throw new DryRun(created);
        return created;
      });
    try {
      return await this.commits.run(() => this.shares.run(organizationId, work, WAIT_MS));
    } catch (error) {
      if (error instanceof DryRun) return error.created;
      throw error;
    }
  }
}

const CANNOT_STORE: FieldErrors = { body: [fieldError('invalid_format', 'cannot be stored')] };

/** Rolls a batch back after it was written: so a dry run checks all that a real one checks. */
class DryRun extends Error {
  constructor(readonly created: number) {
    super('dry run');
  }
}

class RefusedProfiles extends Error {
  constructor(readonly refused: { profile: UploadedProfile; errors: FieldErrors }[]) {
    super('some users are refused');
  }
}

function refuseParts(scope: Scope, { memberships, wishes }: UserProfile, addError: AddError): void {
  const refuse = (field: string, permission: Permission) => {
    if (!scope.may(permission)) addError(field, 'not_allowed', forbidden(permission).detail);
  };
  if (memberships) refuse('memberships', Permission.DistributionListWrite);
  if (wishes) refuse('preferences', Permission.PreferenceWrite);
}
