import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { openConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { conflict, invalidField } from '../../platform/http/problem.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { TestChannelDto, TestedChannelDto } from './channel.dto.js';
import { ChannelService, placeOf } from './channel.service.js';

const SUBJECT = 'A test of this channel';
const TEXT = 'This channel works: you received its test message.';

/** A provider may take half a minute to answer. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 0, waitMs: 0, refusal: tooMany('channel tests') };

/** Sends one message over a channel as a delivery would, but ignores the rate limit and the circuit breaker. */
@Injectable()
export class ChannelTestService {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    private readonly channels: ChannelService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async test(scope: Scope, { to, subject = SUBJECT, text = TEXT }: TestChannelDto): Promise<TestedChannelDto> {
    const place = placeOf(scope);
    const { type, config: stored } = await this.channels.find(place);
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher)
      throw conflict(`This service has no dispatcher for the channel type ${type}. Create a channel of another type.`);
    const kind = dispatcher.addressKindFor?.(stored as StoredConfig) ?? dispatcher.addressKind;
    if (kind !== null && to === undefined)
      throw invalidField('to', 'required', `is required: an address of the kind ${kind}`);
    if (kind === null && to !== undefined)
      throw invalidField('to', 'not_allowed', 'must be left out: this channel needs no address');
    const config = this.open(stored as StoredConfig, place);
    const { org = '', prj = '' } = scope.path;
    const about = {
      occurrence: uuidV7(),
      ...{ organization: org, project: prj, application: '', event: '', user: '' },
    };
    const start = performance.now();
    const message = { id: about.occurrence, to: to ?? '', subject, text, html: '', about, context: {} };
    const { kind: outcome, answer } = await this.limiter.run(scope.organizationId, () =>
      dispatcher.send(message, config),
    );
    return { outcome, answer, duration_ms: Math.round(performance.now() - start) };
  }

  private open(stored: StoredConfig, place: ChannelOwner): ChannelConfig {
    try {
      const { rate: _, ...config } = openConfig(stored, place, this.secrets);
      return config;
    } catch {
      throw conflict('The secrets of the channel can no longer be decrypted. Set them again.');
    }
  }
}
