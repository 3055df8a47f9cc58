import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import { TestSender } from '../../engine/test-message/test-sender.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { invalidField } from '../../platform/http/problem.js';
import type { TestChannelDto, TestedChannelDto } from './channel.dto.js';
import { ChannelService, placeOf } from './channel.service.js';

const SUBJECT = 'A test of this channel';
const TEXT = 'This channel works: you received its test message.';

@Injectable()
export class ChannelTestService {
  constructor(
    private readonly channels: ChannelService,
    private readonly sender: TestSender,
  ) {}

  async test(scope: Scope, { to, subject = SUBJECT, text = TEXT }: TestChannelDto): Promise<TestedChannelDto> {
    const place = placeOf(scope);
    const { id, type, config } = await this.channels.find(place);
    const channel = { ...place, id, type, config: config as StoredConfig };
    const { kind } = this.sender.dispatcherOf(channel);
    if (kind !== null && to === undefined)
      throw invalidField('to', 'required', `is required: an address of the kind ${kind}`);
    if (kind === null && to !== undefined)
      throw invalidField('to', 'not_allowed', 'must be left out: this channel needs no address');
    const { org = '', prj = '' } = scope.path;
    const about = {
      occurrence: uuidV7(),
      ...{ organization: org, project: prj, application: '', event: '', user: '' },
    };
    const message = { id: about.occurrence, to: to ?? '', subject, text, html: '', about, context: {} };
    return this.sender.send(channel, message);
  }
}
