import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { QuotaName, Quotas } from '../../platform/config/quota.js';
import { etagCovers, requireMatch } from '../../platform/http/etag/etag.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { GET_USAGE } from '../../auth/quota/quota.sql.js';
import { setQuotas } from '../../auth/quota/set-quotas.js';
import type { OrganizationQuotasDto, QuotaDto, UpdateOrganizationQuotasDto } from './quota.dto.js';

interface UsageRow {
  quotas: Partial<Quotas>;
  storedBytes: number;
  measuredAt: Date | null;
  schedules: number;
  fileBytes: number;
  layouts: number;
  notifications: number;
  rulesetBytes: number;
}

@Injectable()
export class QuotaService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The usage changes with every message, so the ETag covers the quotas only. */
  async get({ organizationId }: Scope, client: Transaction = this.prisma): Promise<OrganizationQuotasDto> {
    const [row] = await client.$queryRawUnsafe<UsageRow[]>(GET_USAGE, organizationId);
    if (!row) throw notFound('organization');
    const quota = (name: QuotaName, used: number | null): QuotaDto => ({
      limit: row.quotas[name] ?? this.config.quotas[name],
      is_default: row.quotas[name] === undefined,
      used,
    });
    const body = {
      triggers_per_second: quota('triggers_per_second', null),
      stored_mb: quota('stored_mb', Math.floor(row.storedBytes / 1024 / 1024)),
      notifications_per_event: quota('notifications_per_event', row.notifications),
      ruleset_kb: quota('ruleset_kb', Math.ceil(row.rulesetBytes / 1024)),
      send_at_days: quota('send_at_days', null),
      schedules: quota('schedules', row.schedules),
      files_mb: quota('files_mb', Math.ceil(row.fileBytes / 1024 / 1024)),
      layouts: quota('layouts', row.layouts),
      measured_at: row.measuredAt,
    };
    const { measured_at: _, ...all } = body;
    return etagCovers(
      body,
      Object.values(all).map(({ used: _used, ...rest }) => rest),
    );
  }

  async update(scope: Scope, body: UpdateOrganizationQuotasDto): Promise<OrganizationQuotasDto> {
    const { organizationId, ifMatch } = scope;
    const quotas = await this.prisma.change(actorOf(scope), async (tx) => {
      await requireMatch(ifMatch, async () => {
        await lockRows(tx, 'organizations', [organizationId], 'no key update');
        return this.get(scope, tx);
      });
      return setQuotas(tx, organizationId, body);
    });
    if (!quotas) throw notFound('organization');
    this.scopes.forgetAll();
    return this.get(scope);
  }
}
