import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ScopeService } from '../../../auth/scope.service.js';
import { actorOf } from '../../../auth/scope.js';
import type { Scope } from '../../../auth/scope.js';
import { isTransactionTimeout } from '../../../platform/database/database-error.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { tooMany } from '../../../platform/http/limit/too-many.js';
import { changedMeanwhile, conflict, notFound, unavailable } from '../../../platform/http/problem.js';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { TemplateInspector } from '../../../rules/render/template-inspector.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import type { TemplateParts } from '../../../rules/template/template.js';
import { deletionsOf } from '../apply/change.js';
import type { Change } from '../apply/change.js';
import { ExportService } from '../export/export.service.js';
import type { ProvisioningFile } from '../file.js';
import { ProvisioningService } from '../provisioning.service.js';
import {
  needsOfChanges,
  needsOfEntries,
  needsOfExport,
  requireNeeds,
  requireOwnProject,
} from './configuration-access.js';
import type { ConfigurationChangesDto, ConfigurationDto } from './configuration.dto.js';
import { fieldOf, problemOf } from './configuration-problem.js';
import type { ApplyQuery } from './configuration-query.js';

const LONGEST_MS = 30_000;
const TOO_LONG =
  'It took longer than 30 seconds to apply the configuration, so nothing was changed. Send fewer users at once, or import them.';
const LOCK = 7_261_005;

/** A configuration may keep a connection to the database busy for long. All of them together leave most connections to others. */
const LIMITS = { perOrganization: 1, inAll: 2, maxWaiting: 1, waitMs: 5000, refusal: tooMany('configurations') };

/** Applies and exports the configuration of one organization over HTTP. */
@Injectable()
export class ConfigurationService {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
    private readonly provisioning: ProvisioningService,
    private readonly exports: ExportService,
    private readonly inspector: TemplateInspector,
  ) {}

  async get(scope: Scope, withUsers: boolean): Promise<ConfigurationDto> {
    const { key, organizationId } = scope;
    // A part of the organization has the members of its lists, but no users.
    requireNeeds(scope, needsOfExport(withUsers && key.projectId === null));
    try {
      const entry = await this.exports.entry(organizationId, { users: withUsers, projectId: key.projectId });
      return entry as ConfigurationDto;
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** Applies a configuration, or with `dryRun` says what it would change. */
  async apply(scope: Scope, body: unknown, query: ApplyQuery, dryRun: boolean): Promise<ConfigurationChangesDto> {
    const { organizationId } = scope;
    const changes = await this.limiter.run(organizationId, () => this.run(scope, body, query, dryRun));
    // Others may soon have the names of what was deleted.
    if (!dryRun && deletionsOf(changes.changes).length > 0) this.scopes.forgetAll();
    return changes;
  }

  private async run(scope: Scope, body: unknown, query: ApplyQuery, dryRun: boolean): Promise<ConfigurationChangesDto> {
    const { organizationId, key } = scope;
    const owner = await this.owner(organizationId, key.projectId);
    // Imported late: the check of a file takes long to load.
    const { readConfigurationBody } = await import('./read-configuration.js');
    const { file, problems } = readConfigurationBody(body, owner.organization);
    try {
      for (const entry of file.organizations) {
        requireOwnProject(entry, owner.project);
        requireNeeds(scope, needsOfEntries(entry, query.prune));
      }
      const reports = await this.inspect(organizationId, file);
      const changes = await this.provisioning.applyFile(
        file,
        problems,
        {
          ...{ dryRun, prune: query.prune, maxNames: query.maxNames, isPartial: key.projectId !== null },
          ...{ timeoutMs: LONGEST_MS, inspect: (template) => reports.get(template)! },
          check: (found) => checkChanges(scope, found, dryRun),
        },
        actorOf(scope),
        (tx) => lockOrganization(tx, organizationId),
      );
      return { changes, warnings: problems.warnings.map(fieldOf), version: versionOf(changes) };
    } catch (error) {
      throw isTransactionTimeout(error) ? unavailable(TOO_LONG) : problemOf(error);
    }
  }

  /** The organization, and the slug of the project that the key is bound to. */
  private async owner(organizationId: number, projectId: number | null) {
    const select = { slug: true, name: true } as const;
    const organization = await this.prisma.organization.findUnique({ where: { id: organizationId }, select });
    const project =
      projectId === null ? null : await this.prisma.project.findUnique({ where: { id: projectId }, select });
    if (!organization || (projectId !== null && !project)) throw notFound('organization');
    return { organization, project: project?.slug ?? null };
  }

  /** Before the transaction: large templates wait for their turn in another process. */
  private async inspect(organizationId: number, file: ProvisioningFile): Promise<Map<TemplateParts, TemplateReport>> {
    const ends = Date.now() + LONGEST_MS;
    const reports = new Map<TemplateParts, TemplateReport>();
    for (const template of [...fragmentsIn(file), ...templatesIn(file)]) {
      if (Date.now() > ends) throw unavailable(TOO_LONG);
      reports.set(template, await this.inspector.inspect(organizationId, template));
    }
    return reports;
  }
}

const fragmentsIn = ({ organizations }: ProvisioningFile) =>
  organizations
    .flatMap((organization) => [organization, ...(organization.projects ?? [])])
    .flatMap(({ layouts = [], partials = [] }) => [...layouts, ...partials]);

const templatesIn = ({ organizations }: ProvisioningFile) =>
  organizations
    .flatMap(({ projects = [] }) => projects)
    .flatMap(({ applications = [] }) => applications)
    .flatMap(({ events = [] }) => events)
    .flatMap(({ notifications = [] }) => notifications)
    .flatMap(({ templates = [] }) => templates);

/** One at a time for each organization, in all processes: two would wait for each other row by row. */
async function lockOrganization(tx: Transaction, organizationId: number): Promise<void> {
  const sql = 'select pg_try_advisory_xact_lock($1::int, $2::int) locked';
  const [row] = await tx.$queryRawUnsafe<{ locked: boolean }[]>(sql, LOCK, organizationId);
  if (!row!.locked) throw conflict('Another configuration of the organization is being applied. Try again.');
}

function checkChanges(scope: Scope, changes: Change[], dryRun: boolean): void {
  requireNeeds(scope, needsOfChanges(changes));
  if (!dryRun && scope.ifMatch !== null && scope.ifMatch !== versionOf(changes)) throw changedMeanwhile();
}

/** Names the deletions, in the form of an ETag. */
function versionOf(changes: Change[]): string {
  const hash = createHash('sha256').update(JSON.stringify(deletionsOf(changes)));
  return `"${hash.digest('hex').slice(0, 16)}"`;
}
