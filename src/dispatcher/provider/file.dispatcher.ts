import type {
  ChannelConfig,
  ConfigField,
  Dispatcher,
  Message,
  MessageSender,
  Outcome,
  SenderProblem,
} from '../dispatcher.js';
import { headOfMail } from '../email/sender/mail-parties.js';
import { checkSender } from '../email/sender/sender.js';
import { readSender } from '../email/sender/sender-settings.js';
import { MOST_MESSAGE_MB } from '../email/message-size.js';
import type { MessageLimits } from '../message-limits.js';
import type { Outbound } from '../outbound/outbound.js';
import type { ReportReader } from '../report/report.js';
import { ChannelTokens } from '../token/channel-tokens.js';
import { plainSettings } from './names.js';
import { holds } from './outcome.js';
import type { ProviderFile } from './provider.js';
import { BADGE } from './read/read-provider.js';
import { checkSettings } from './check/check-settings.js';
import { checkTemplates } from './check/template/check-templates.js';
import { openReports, setupOf } from './report/open-reports.js';
import { ProviderSender, problemWithSettings } from './provider-sender.js';

type Config = Readonly<Record<string, unknown>>;

/** A dispatcher that a provider file describes. The file is read when the first channel of its type is used. */
export class FileDispatcher implements Dispatcher {
  private known: ProviderFile | undefined;
  private readonly sender: ProviderSender;

  /** `origin` replaces the host that the file has: tests send to loopback. */
  constructor(
    readonly type: string,
    private readonly read: () => ProviderFile,
    private readonly outbound: Outbound,
    private readonly origin?: string,
    private readonly tokens = new ChannelTokens(),
  ) {
    this.sender = new ProviderSender(outbound, origin, tokens);
  }

  get provider(): ProviderFile {
    return (this.known ??= this.read());
  }

  get label(): string {
    return this.provider.label;
  }

  get fields(): readonly ConfigField[] {
    return this.provider.fields;
  }

  get parts(): Dispatcher['parts'] {
    return this.provider.parts;
  }

  get addressKind(): string | null {
    return this.provider.roomIf === null ? this.provider.address : null;
  }

  get isRoom(): true | undefined {
    return this.addressKind === null ? true : undefined;
  }

  get messageLimits(): MessageLimits {
    const { subject, text, bodyBytes: bytes, cutsText, dataBytes, reservedData } = this.provider.limits;
    return { subject, text, bytes, cutsText, dataBytes, reservedData };
  }

  countsUnread(config: ChannelConfig): boolean {
    return this.provider.showsUnread && config[BADGE] === true;
  }

  get carriesFiles(): true | undefined {
    return this.provider.limits.attachments ? true : undefined;
  }

  addressKindFor(config: Config): string | null {
    const { address, roomIf, fields } = this.provider;
    return roomIf !== null && holds(roomIf, { settings: plainSettings(fields, config) }) ? null : address;
  }

  maxMessageBytes(): number {
    return Math.min(this.provider.limits.bodyBytes, MOST_MESSAGE_MB * 1024 * 1024);
  }

  check(config: ChannelConfig): string | null {
    return problemWithSettings(this.provider, config)?.because ?? null;
  }

  checkSender(sender: MessageSender, config: Config): SenderProblem[] {
    if (!this.isMail()) return [];
    const settings = readSender(config);
    return checkSender(sender, 'problem' in settings ? null : settings.fromDomains);
  }

  /** Undefined unless its messages are mails. */
  get shownHead(): Dispatcher['shownHead'] {
    return this.isMail() ? (head, config) => headOfMail(head, readSender(config)) : undefined;
  }

  get tellsReportUrl(): true | undefined {
    return this.provider.tellsReportUrl ? true : undefined;
  }

  get reportSetups(): Dispatcher['reportSetups'] {
    const steps = setupOf(this.provider);
    return steps === null ? undefined : [{ service: null, steps }];
  }

  reports(config: ChannelConfig): ReportReader | null {
    return openReports(this.provider, config, this.outbound);
  }

  /** Undefined if the file has no call for it. */
  get checkSettings(): Dispatcher['checkSettings'] {
    const { provider, outbound, origin, tokens } = this;
    const { test } = provider;
    return test
      ? (config, organization) => checkSettings({ outbound, origin, tokens, provider, test }, config, organization)
      : undefined;
  }

  /** Undefined if the file has no call for it. */
  get checkTemplates(): Dispatcher['checkTemplates'] {
    const { provider, outbound, origin, tokens } = this;
    const listing = provider.test?.templates;
    return listing
      ? (config, organization, templates) =>
          checkTemplates({ outbound, origin, tokens, provider, listing }, config, organization, templates)
      : undefined;
  }

  get isCheckCharged(): true | undefined {
    return this.provider.test?.isCharged ? true : undefined;
  }

  get storesTokens(): true | undefined {
    return this.provider.needsTokens ? true : undefined;
  }

  send(message: Message, config: ChannelConfig, channelId?: number): Promise<Outcome> {
    return this.sender.send(this.provider, message, config, channelId);
  }

  private isMail(): boolean {
    return this.provider.parts.includes('from');
  }
}
