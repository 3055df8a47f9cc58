import { Inject, Injectable } from '@nestjs/common';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { ChannelConfig, Dispatcher, Message, Outcome } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { conflict } from '../../platform/http/problem.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { sendWithFiles } from '../file/carry.js';
import { FileCache } from '../file/file-cache.js';
import { openedConfig } from './opened-config.js';

/** A channel as it is stored. */
interface TestedChannel extends ChannelOwner {
  id: number;
  type: string;
  config: StoredConfig;
}

interface TestOutcome {
  outcome: Outcome['kind'];
  answer: string;
  duration_ms: number;
}

/** A provider may take half a minute to answer. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 0, waitMs: 0, refusal: tooMany('channel tests') };

/** Sends one message over a channel as a delivery would, but ignores the rate limit and the circuit breaker. */
@Injectable()
export class TestSender {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly files: FileCache,
  ) {}

  /** The dispatcher of a channel, and the kind of address that it needs; null: none. */
  dispatcherOf({ type, config }: Pick<TestedChannel, 'type' | 'config'>): {
    dispatcher: Dispatcher;
    kind: string | null;
  } {
    const dispatcher = this.dispatchers.get(type);
    if (!dispatcher)
      throw conflict(`This service has no dispatcher for the channel type ${type}. Create a channel of another type.`);
    return { dispatcher, kind: dispatcher.addressKindFor?.(config) ?? dispatcher.addressKind };
  }

  async send(channel: TestedChannel, message: Message, files: StoredAttachment[] = []): Promise<TestOutcome> {
    const { organizationId, id: channelId } = channel;
    const { dispatcher } = this.dispatcherOf(channel);
    const config = this.open(channel);
    const start = performance.now();
    const { kind: outcome, answer } = await this.limiter.run(organizationId, () =>
      files.length > 0 && dispatcher.carriesFiles
        ? sendWithFiles(this.files, { organizationId, dispatcher, config, channelId, files }, message)
        : dispatcher.send(message, config, channelId),
    );
    return { outcome, answer, duration_ms: Math.round(performance.now() - start) };
  }

  private open({ config: stored, id: _id, ...owner }: TestedChannel): ChannelConfig {
    const { rate: _rate, fallback_after: _after, ...config } = openedConfig(stored, owner, this.secrets);
    return config;
  }
}
