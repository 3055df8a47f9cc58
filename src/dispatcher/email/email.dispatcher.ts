import { answerOf } from '../answer/answer.js';
import type {
  ChannelConfig,
  Dispatcher,
  MailHead,
  Message,
  MessageAttachment,
  MessageSender,
  Outcome,
  SenderProblem,
} from '../dispatcher.js';
import type { BounceAddresses } from '../bounce/bounce-address.js';
import type { Outbound } from '../outbound/outbound.js';
import { reasonOf } from '../outbound/outbound-error.js';
import { MAIL_SERVICES } from '../report/services.js';
import { referenceOf } from '../report/reference.js';
import type { ReportReader } from '../report/report.js';
import { domainOf, parseAddress } from './address.js';
import { readDkim } from './dkim/dkim-settings.js';
import { signMail } from './dkim/sign-mail.js';
import { checkDomains } from './domain/check-domains.js';
import type { DomainFinding } from './domain/domain-finding.js';
import { composeWithFiles, lengthOfPieces } from './file/compose-with-files.js';
import type { MailFile, MailPieces } from './file/compose-with-files.js';
import { composeMail } from './mime.js';
import { headOfMail, partiesOf } from './sender/mail-parties.js';
import { checkSender } from './sender/sender.js';
import { outcomeOfFailure } from './smtp-outcome.js';
import { PipeliningByServer } from './pipelining.js';
import { POOL_LIMITS, SmtpPool, type PoolLimits } from './smtp-pool.js';
import { SMTP_DEADLINES, SmtpSession, type SmtpDeadlines, type SmtpFailure } from './smtp-session.js';
import { MOST_MESSAGE_MB } from './message-size.js';
import { EMAIL_FIELDS, MAX_MESSAGE_MB, readSettings, type SmtpSettings } from './smtp-settings.js';

/** A message that is not offered to the server. */
const refusal = (problem: string): Outcome => ({
  kind: 'rejected',
  answer: answerOf(problem),
  fault: 'message',
  isLocal: true,
});

/** The settings of the channel are wrong. Its messages wait until somebody corrects them. */
const faultOfChannel = (problem: string): Outcome => ({
  kind: 'rejected',
  answer: answerOf(problem),
  fault: 'channel',
});

/** The settings with which a channel sends. Secrets in `config` are decrypted. */
function readChannel(config: ChannelConfig) {
  const settings = readSettings(config);
  if ('problem' in settings) return settings;
  const dkim = readDkim(config, settings.fromDomains);
  return dkim && 'problem' in dkim ? dkim : { ...settings, dkim };
}

const MB = 1024 * 1024;

/** Sends mail over SMTP, on connections that stay open between messages. */
export class EmailDispatcher implements Dispatcher {
  readonly type = 'email';
  readonly label = 'E-mail (SMTP)';
  readonly fields = EMAIL_FIELDS;
  readonly addressKind = 'email';
  readonly carriesFiles = true;
  readonly parts = ['subject', 'text', 'html', 'from', 'reply_to', 'headers'] as const;

  private readonly pools = new Map<string, SmtpPool>();
  private readonly pipelining = new PipeliningByServer();
  private readonly settings = new WeakMap<ChannelConfig, ReturnType<typeof readChannel>>();

  constructor(
    private readonly outbound: Outbound,
    private readonly bounces: BounceAddresses | null = null,
    private readonly limits: PoolLimits = POOL_LIMITS,
    private readonly deadlines: SmtpDeadlines = SMTP_DEADLINES,
  ) {}

  check(config: ChannelConfig): string | null {
    const settings = readChannel(config);
    return 'problem' in settings ? settings.problem : null;
  }

  maxMessageBytes(config: Readonly<Record<string, unknown>>): number {
    return Math.min(Number(config.max_message_mb ?? MAX_MESSAGE_MB), MOST_MESSAGE_MB) * MB;
  }

  checkSender(sender: MessageSender, config: Readonly<Record<string, unknown>>): SenderProblem[] {
    const settings = readSettings(config);
    return checkSender(sender, 'problem' in settings ? null : settings.fromDomains);
  }

  shownHead(head: MailHead, config: Readonly<Record<string, unknown>>): Record<string, string> {
    return headOfMail(head, readSettings(config));
  }

  get reportSetups(): Dispatcher['reportSetups'] {
    return Object.entries(MAIL_SERVICES).map(([service, { steps }]) => ({ service, steps }));
  }

  reports(config: ChannelConfig): ReportReader | null {
    const settings = this.settingsOf(config);
    const service = 'problem' in settings ? null : settings.service;
    return service ? service.reader(String(config.report_key), this.outbound) : null;
  }

  async checkDomains(config: ChannelConfig, organization: string): Promise<DomainFinding[] | { problem: string }> {
    const settings = this.settingsOf(config);
    return 'problem' in settings ? settings : checkDomains(settings, (name) => this.outbound.texts(name, organization));
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const settings = this.settingsOf(config);
    if ('problem' in settings) return faultOfChannel(settings.problem);
    const to = parseAddress(message.to);
    if (to === null) return refusal('the address is not one e-mail address');
    const { smtp, key, fromDomains, service, bounceDomain, dkim } = settings;
    const { id, subject, text, html, about, list, sender = {} } = message;
    const [wrong] = message.sender ? checkSender(sender, fromDomains) : [];
    if (wrong) return refusal(`the template’s ${wrong.part} ${wrong.sentence}`);
    const { from, replyTo } = partiesOf(sender, settings);
    const mark = service?.header?.(referenceOf(id));
    const headers = mark ? { ...sender.headers, [mark[0]]: mark[1] } : sender.headers;
    const thread = message.thread?.replaces;
    const mail = { id, from, to, replyTo, subject, text, html, date: new Date(), list, headers, thread };
    let content = message.attachments ? composeWithFiles(mail, filesOf(message.attachments)) : composeMail(mail);
    if (typeof content !== 'string' && lengthOfPieces(content) > this.maxMessageBytes(config))
      return {
        kind: 'rejected',
        answer: tooLarge(content, this.maxMessageBytes(config)),
        fault: 'message',
        isLocal: true,
      };
    if (dkim) {
      try {
        content = await signMail(content, dkim.signers, dkim.domain ?? domainOf(from.address), mail.date);
      } catch (error) {
        // The mail waits: it never leaves unsigned.
        return faultOfChannel(`the mail cannot be signed: ${reasonOf(error)}`);
      }
    }
    try {
      const envelope = { from: (bounceDomain && this.bounces?.of(id, bounceDomain)) ?? from.address, to };
      const reply = await this.poolFor(smtp, key, about.organization).send(envelope, content);
      const providerId = service?.id?.exec(reply)?.[1];
      return { kind: 'sent', answer: answerOf(reply, secretsOf(smtp)), ...(providerId ? { providerId } : {}) };
    } catch (error) {
      const { response, contentBegun } = error as SmtpFailure;
      const answer = answerOf(response ?? reasonOf(error), secretsOf(smtp));
      const failed = { ...outcomeOfFailure(error), answer };
      // The server may refuse the sender of this template only.
      if (failed.kind === 'rejected' && failed.fault === 'channel' && sender.from) return { kind: 'retry', answer };
      // The server was sent the content, and did not answer.
      const isLost = failed.kind === 'retry' && contentBegun === true && response === undefined;
      return isLost ? { ...failed, mayHaveArrived: true } : failed;
    }
  }

  async close(): Promise<void> {
    for (const pool of this.pools.values()) pool.close();
    this.pools.clear();
  }

  /** The messages of a batch share their channel's config, so it is read once for all of them. */
  private settingsOf(config: ChannelConfig): ReturnType<typeof readChannel> {
    const known = this.settings.get(config) ?? readChannel(config);
    this.settings.set(config, known);
    return known;
  }

  /**
   * Channels of an organization with the same server settings share connections. A changed setting opens new ones. Organizations share
   * none: a server that never answers the mail of one would hold them, and the mail of the others would wait.
   */
  private poolFor(settings: SmtpSettings, serverKey: string, organization: string): SmtpPool {
    const key = `${organization} ${serverKey}`;
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const { outbound, deadlines } = this;
    const pipelining = this.pipelining.of(settings.host, settings.port);
    const open = () => SmtpSession.open({ outbound, settings, organization, deadlines, pipelining });
    const pool: SmtpPool = new SmtpPool(open, this.limits, () => {
      if (this.pools.get(key) === pool) this.pools.delete(key);
    });
    this.pools.set(key, pool);
    return pool;
  }
}

const filesOf = (attachments: readonly MessageAttachment[]): MailFile[] =>
  attachments.flatMap((file) => (file.content ? [{ ...file, content: file.content }] : []));

const tooLarge = (content: MailPieces, most: number): string =>
  `the mail has ${(lengthOfPieces(content) / MB).toFixed(1)} MB with its files, and the channel sends at most ${most / MB} MB (max_message_mb)`;

/** The password in every form that is sent: some servers quote a refused command in their reply. */
function secretsOf({ username, password }: SmtpSettings): string[] {
  if (password === '') return [];
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  return [base64(`\0${username}\0${password}`), base64(password), password];
}
