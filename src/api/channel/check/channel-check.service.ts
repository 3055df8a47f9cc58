import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../../auth/scope.js';
import type { StoredConfig } from '../../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { openedConfig } from '../../../engine/test-message/opened-config.js';
import { tooMany } from '../../../platform/http/limit/too-many.js';
import { conflict } from '../../../platform/http/problem.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { ChannelService, placeOf } from '../channel.service.js';
import type { ChannelCheckDto } from './channel-check.dto.js';

/** A provider has 10 s to answer. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 0, refusal: tooMany('checks of channels') };

/** Tries the settings of a channel without a message. */
@Injectable()
export class ChannelCheckService {
  private readonly limiter = new TenantLimiter<number>(LIMITS);

  constructor(
    private readonly channels: ChannelService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async check(scope: Scope): Promise<ChannelCheckDto> {
    const owner = placeOf(scope);
    const { type, config } = await this.channels.find(owner);
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher?.checkSettings) throw nothingToCheck(type);
    const opened = openedConfig(config as StoredConfig, owner, this.secrets);
    const start = performance.now();
    const checked = await this.limiter.run(owner.organizationId, async () =>
      dispatcher.checkSettings!(opened, scope.path.org ?? ''),
    );
    if (checked === null) throw nothingToCheck(type);
    const { ok, answer } = checked;
    return { ok, fault: checked.ok ? null : checked.fault, answer, duration_ms: Math.round(performance.now() - start) };
  }
}

const nothingToCheck = (type: string) =>
  conflict(
    `There is nothing to check: the provider of the channel type ${type} has no call that tries these settings. Send a test message instead.`,
  );
