import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ScopeService } from '../auth/scope.service.js';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import type { QuotaName, Quotas } from '../config/quota.js';
import { notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { GET_USAGE } from '../quota/quota.sql.js';
import { setQuotas } from '../quota/set-quotas.js';
import type { OrganizationQuotasDto, QuotaDto, UpdateOrganizationQuotasDto } from './quota.dto.js';

interface UsageRow {
  quotas: Partial<Quotas>;
  storedBytes: number;
  measuredAt: Date | null;
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

  async get({ organizationId }: Scope): Promise<OrganizationQuotasDto> {
    const [row] = await this.prisma.$queryRawUnsafe<UsageRow[]>(GET_USAGE, organizationId);
    if (!row) throw notFound('organization');
    const quota = (name: QuotaName, used: number | null): QuotaDto => ({
      limit: row.quotas[name] ?? this.config.quotas[name],
      is_default: row.quotas[name] === undefined,
      used,
    });
    return {
      triggers_per_second: quota('triggers_per_second', null),
      stored_mb: quota('stored_mb', Math.floor(row.storedBytes / 1024 / 1024)),
      notifications_per_event: quota('notifications_per_event', row.notifications),
      ruleset_kb: quota('ruleset_kb', Math.ceil(row.rulesetBytes / 1024)),
      send_at_days: quota('send_at_days', null),
      measured_at: row.measuredAt,
    };
  }

  async update(scope: Scope, body: UpdateOrganizationQuotasDto): Promise<OrganizationQuotasDto> {
    const quotas = await this.prisma.change(actorOf(scope), (tx) => setQuotas(tx, scope.organizationId, body));
    if (!quotas) throw notFound('organization');
    this.scopes.forgetAll();
    return this.get(scope);
  }
}
