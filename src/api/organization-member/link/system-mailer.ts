import { Inject, Injectable } from '@nestjs/common';
import type { ChannelConfig, Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { CONFIG, ConfigError } from '../../../platform/config/config.js';
import type { Config } from '../../../platform/config/config.js';
import { withoutAddresses } from '../../../platform/telemetry/without-addresses.js';
import { uuidV7 } from '../../../platform/field/uuid-v7.js';

const NOWHERE = { occurrence: '', organization: '', project: '', application: '', event: '', user: null };

/** Mail of the service itself, over the server that the operator has configured. It is of no organization, and nothing of it is stored. */
@Injectable()
export class SystemMailer {
  private readonly config: ChannelConfig | null;
  private readonly dispatcher: Dispatcher;

  constructor(
    @Inject(CONFIG) { systemMail }: Config,
    @Inject(DISPATCHERS) dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {
    this.dispatcher = dispatchers.get('email')!;
    this.config = systemMail && { ...systemMail };
    const problem = this.config && this.dispatcher.check?.(this.config);
    if (problem) throw new ConfigError(`SYSTEM_MAIL_URL or SYSTEM_MAIL_FROM: ${problem}`);
  }

  get isConfigured(): boolean {
    return this.config !== null;
  }

  /** Returns why the server did not take the mail, without the address; null: it did. */
  async send(to: string, { subject, text }: { subject: string; text: string }): Promise<string | null> {
    if (this.config === null) return 'no mail server is configured';
    const message = { id: uuidV7(), to, subject, text, html: '', about: NOWHERE, context: {} };
    const outcome = await this.dispatcher.send(message, this.config);
    return outcome.kind === 'sent' ? null : withoutAddresses(outcome.answer);
  }
}
