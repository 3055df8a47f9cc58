import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../../auth/scope.js';
import type { StoredConfig } from '../../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { tooMany } from '../../../platform/http/limit/too-many.js';
import { openedConfig } from '../../../engine/test-message/opened-config.js';
import { conflict } from '../../../platform/http/problem.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { ChannelService, placeOf } from '../channel.service.js';
import { ChannelDomainsDto } from './channel-domains.dto.js';

/** A check makes several look-ups, and takes long if the name servers do not answer. */
const LIMITS = { perOrganization: 2, maxWaiting: 0, refusal: tooMany('checks of domains') };

@Injectable()
export class ChannelDomainsService {
  private readonly shares = new TenantLimiter<string>(LIMITS);

  constructor(
    private readonly channels: ChannelService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async check(scope: Scope): Promise<ChannelDomainsDto> {
    const place = placeOf(scope);
    const { type, config } = await this.channels.find(place);
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher?.checkDomains) return ChannelDomainsDto.from([]);
    const opened = openedConfig(config as StoredConfig, place, this.secrets);
    const organization = scope.path.org ?? '';
    const found = await this.shares.run(organization, async () => dispatcher.checkDomains!(opened, organization));
    if ('problem' in found) throw conflict(`The settings of the channel are wrong: ${found.problem}.`);
    return ChannelDomainsDto.from(found);
  }
}
