import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../../auth/scope.js';
import type { StoredConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher, TemplateCheck } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { openedConfig } from '../../../engine/test-message/opened-config.js';
import { tooMany } from '../../../platform/http/limit/too-many.js';
import { conflict } from '../../../platform/http/problem.js';
import { Database } from '../../../platform/database/database.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { ChannelService, placeOf } from '../channel.service.js';
import type { ChannelCheckDto, TemplateCheckDto } from './channel-check.dto.js';
import { MAX_COMPARED, PROVIDER_TEMPLATES, type UsedTemplateRow } from './provider-template.sql.js';

/** A provider has 10 s to answer, and 15 s more for its templates. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 0, refusal: tooMany('checks of channels') };

/** Tries the settings of a channel without a message. */
@Injectable()
export class ChannelCheckService {
  private readonly limiter = new TenantLimiter<number>(LIMITS);

  constructor(
    private readonly channels: ChannelService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly database: Database,
  ) {}

  async check(scope: Scope): Promise<ChannelCheckDto> {
    const owner = placeOf(scope);
    const { id, type, config } = await this.channels.find(owner);
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher?.checkSettings) throw nothingToCheck(type);
    const opened = openedConfig(config as StoredConfig, owner, this.secrets);
    const start = performance.now();
    const organization = scope.path.org ?? '';
    return this.limiter.run(owner.organizationId, async () => {
      const checked = await dispatcher.checkSettings!(opened, organization);
      if (checked === null) throw nothingToCheck(type);
      const { ok, answer } = checked;
      const templates = ok ? await this.checkTemplates(dispatcher, id, opened, organization) : [];
      const durationMs = Math.round(performance.now() - start);
      return { ok, fault: checked.ok ? null : checked.fault, answer, templates, duration_ms: durationMs };
    });
  }

  private async checkTemplates(
    dispatcher: Dispatcher,
    channelId: number,
    config: ChannelConfig,
    organization: string,
  ): Promise<TemplateCheckDto[]> {
    if (!dispatcher.checkTemplates) return [];
    const { rows } = await this.database.query<UsedTemplateRow>('provider-templates', PROVIDER_TEMPLATES, [
      [channelId],
      MAX_COMPARED,
    ]);
    const used = rows.map(({ template }) => template);
    const checks = used.length > 0 ? await dispatcher.checkTemplates(config, organization, used) : [];
    return rows.map((row, i) => templateCheckOf(row, checks[i]!));
  }
}

const templateCheckOf = (
  { event, notification, template }: UsedTemplateRow,
  check: TemplateCheck,
): TemplateCheckDto => ({
  ...{ event, notification, template: template.name, language: template.language },
  state: check.ok === null ? 'unknown' : check.ok ? 'ok' : 'wrong',
  problem: check.ok ? null : check.problem,
});

const nothingToCheck = (type: string) =>
  conflict(
    `There is nothing to check: the provider of the channel type ${type} has no call that tries these settings. Send a test message instead.`,
  );
