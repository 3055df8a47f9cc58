import { Injectable } from '@nestjs/common';
import { createApiKey } from '../../auth/api-key-rows.js';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { futureProblem } from '../../platform/field/date-time.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, invalidField, notFound, tooWeak } from '../../platform/http/problem.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isRowGone } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ApiKeyDto, CreatedApiKeyDto } from './api-key.dto.js';
import type { ApiKeyRow, CreateApiKeyDto } from './api-key.dto.js';
import { FIND_API_KEYS } from './api-key.sql.js';

/** API keys over HTTP. A key sees only keys within its own reach and neither creates nor revokes a key with more rights than its own. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly store: ApiKeyStore,
  ) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, limit: number) => this.find(scope, afterId(after), null, limit);
    return new Listing(page, read, ApiKeyDto.from, ({ id }) => id);
  }

  async create(scope: Scope, body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const name = body.name.trim();
    const expiresAt = body.expires_at === undefined ? scope.key.expiresAt : new Date(body.expires_at);
    // A key with a limit could otherwise multiply its limit by creating keys.
    const { rateLimit, rateLimitOf } = limitOf(scope, body);
    const problems = {
      ...nameErrors(name),
      ...permissionErrors(scope, body),
      ...expiryErrors(scope, body.expires_at),
      ...rateLimitErrors(scope, body),
    };
    if (hasErrors(problems)) throw invalid(problems);
    const branch = await this.branch(scope, body);
    // Without this check, a key that was just revoked could create another key.
    await this.store.requireUnchanged(scope.key);
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        const { id, text } = await createApiKey(tx, {
          ...{ name, permissions: [...new Set(body.permissions)], organizationId: scope.organizationId },
          ...branch,
          expiresAt: expiresAt ?? undefined,
          ...{ rateLimit, rateLimitOf },
        });
        // Read before the commit: after it, a read that fails would say that nothing was created.
        return CreatedApiKeyDto.of(await this.get(scope, id, tx), text);
      });
    } catch (error) {
      if (isRowGone(error)) throw notFound('organization');
      throw error;
    }
  }

  async revoke(scope: Scope): Promise<ApiKeyDto> {
    const id = positiveInt(scope.path.key ?? '');
    if (id === null) throw notFound('API key');
    const key = await this.get(scope, id);
    const missing = beyond(scope, key.permissions);
    if (missing.length > 0) throw tooWeak(missing);
    if (key.revoked_at !== null) return key;
    await this.store.revoke(id, actorOf(scope));
    return this.get(scope, id);
  }

  private async get(scope: Scope, id: number, client?: Transaction): Promise<ApiKeyDto> {
    const [row] = await this.find(scope, 0, id, 1, client);
    if (!row) throw notFound('API key');
    return ApiKeyDto.from(row);
  }

  private find(
    { organizationId, key }: Scope,
    after: number,
    id: number | null,
    limit: number,
    client: Transaction = this.prisma,
  ) {
    const values = [organizationId, key.projectId, key.applicationId, after, id, limit];
    return client.$queryRawUnsafe<ApiKeyRow[]>(FIND_API_KEYS, ...values);
  }

  /** Returns the ids that the new key is bound to. The project and application in the body must be within the reach of the caller's key. */
  private async branch(
    { organizationId, key }: Scope,
    { project, application }: CreateApiKeyDto,
  ): Promise<{ projectId?: number; applicationId?: number }> {
    const own = { projectId: key.projectId ?? undefined, applicationId: key.applicationId ?? undefined };
    if (project === undefined && application === undefined) return own;
    if (project === undefined && key.projectId === null)
      throw invalidField('application', 'required', 'requires project: give both');
    const projectRow = await this.prisma.project.findFirst({
      where: { organizationId, AND: [{ slug: project }, { id: own.projectId }] },
      select: {
        id: true,
        applications: {
          where: { AND: [{ slug: application ?? '' }, { id: own.applicationId }] },
          select: { id: true },
        },
      },
    });
    if (!projectRow)
      throw invalidField('project', 'not_found', 'must be the slug of a project that your own key reaches');
    if (application === undefined) return { projectId: projectRow.id, applicationId: own.applicationId };
    const [applicationRow] = projectRow.applications;
    if (!applicationRow)
      throw invalidField('application', 'not_found', 'must be the slug of an application that your own key reaches');
    return { projectId: projectRow.id, applicationId: applicationRow.id };
  }
}

const nameErrors = (name: string): FieldErrors => (name ? {} : { name: [fieldError('blank', 'must not be blank')] });

/** The permissions that the caller's own key lacks. A key may create and revoke only keys without any. */
const beyond = ({ key }: Scope, permissions: string[]) =>
  permissions.filter((permission) => !key.permissions.includes(permission));

function permissionErrors(scope: Scope, { permissions }: CreateApiKeyDto): FieldErrors {
  const missing = beyond(scope, permissions);
  return missing.length > 0
    ? { permissions: [fieldError('not_allowed', `must not exceed those of your own key: ${missing.join(', ')}`)] }
    : {};
}

function rateLimitErrors({ key }: Scope, { rate_limit: limit }: CreateApiKeyDto): FieldErrors {
  if (limit === undefined || key.rateLimit === null || limit === key.rateLimit) return {};
  return {
    rate_limit: [
      fieldError('not_allowed', `must be ${key.rateLimit} or left out: the new key shares the limit of your own key`),
    ],
  };
}

const limitOf = ({ key }: Scope, { rate_limit: limit }: CreateApiKeyDto) =>
  key.rateLimit === null ? { rateLimit: limit } : { rateLimit: key.rateLimit, rateLimitOf: key.rateLimitOf };

function expiryErrors({ key }: Scope, expiresAt: string | undefined): FieldErrors {
  if (expiresAt === undefined) return {};
  const problem = futureProblem(expiresAt);
  if (problem) return { expires_at: [problem] };
  if (key.expiresAt && new Date(expiresAt) > key.expiresAt)
    return {
      expires_at: [
        fieldError('out_of_range', `must not be later than that of your own key, ${key.expiresAt.toISOString()}`),
      ],
    };
  return {};
}
