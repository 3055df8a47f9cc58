import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { openConfig } from '../dispatcher/channel-config.js';
import type { ChannelPlace, StoredConfig } from '../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { uuidV7 } from '../field/uuid-v7.js';
import { conflict, invalid } from '../http/problem.js';
import { SecretBox } from '../secret/secret-box.js';
import type { TestChannelDto, TestedChannelDto } from './channel.dto.js';
import { ChannelService, placeOf } from './channel.service.js';

const SUBJECT = 'A test of this channel';
const TEXT = 'This channel works: its message has reached you.';

/** Sends one message over a channel as a delivery would, beside its rate and its circuit. */
@Injectable()
export class ChannelTestService {
  constructor(
    private readonly channels: ChannelService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async test(scope: Scope, { to, subject = SUBJECT, text = TEXT }: TestChannelDto): Promise<TestedChannelDto> {
    const place = placeOf(scope);
    const { type, config: stored } = await this.channels.find(place);
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher) throw conflict(`There is no dispatcher for the type ${type}.`);
    const kind = dispatcher.addressKindFor?.(stored as StoredConfig) ?? dispatcher.addressKind;
    if (kind !== null && to === undefined) throw invalid({ to: [`is required: an address of the kind ${kind}`] });
    if (kind === null && to !== undefined) throw invalid({ to: ['is not used: this channel needs no address'] });
    const config = this.open(stored as StoredConfig, place);
    const { org = '', prj = '' } = scope.path;
    const about = {
      occurrence: uuidV7(),
      ...{ organization: org, project: prj, application: '', event: '', user: '' },
    };
    const start = performance.now();
    const { kind: outcome, answer } = await dispatcher.send(
      { id: about.occurrence, to: to ?? '', subject, text, html: '', about },
      config,
    );
    return { outcome, answer, duration_ms: Math.round(performance.now() - start) };
  }

  private open(stored: StoredConfig, place: ChannelPlace): ChannelConfig {
    try {
      const { rate: _, ...config } = openConfig(stored, place, this.secrets);
      return config;
    } catch {
      throw conflict('The secrets of the channel can no longer be read: set them anew.');
    }
  }
}
