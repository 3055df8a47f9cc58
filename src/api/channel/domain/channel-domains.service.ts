import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../../auth/scope.js';
import { openConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { conflict } from '../../../platform/http/problem.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { ChannelService, placeOf } from '../channel.service.js';
import { ChannelDomainsDto } from './channel-domains.dto.js';

@Injectable()
export class ChannelDomainsService {
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
    const opened = this.open(config as StoredConfig, place);
    return ChannelDomainsDto.from(await dispatcher.checkDomains(opened, scope.path.org ?? ''));
  }

  private open(stored: StoredConfig, place: ChannelOwner): ChannelConfig {
    try {
      return openConfig(stored, place, this.secrets);
    } catch {
      throw conflict('The secrets of the channel can no longer be decrypted. Set them again.');
    }
  }
}
