import { LRUCache } from 'lru-cache';
import { answerOf } from '../answer/answer.js';
import { cutText, cutToFit } from '../cut-text.js';
import type { ChannelConfig, Fault, Message, Outcome } from '../dispatcher.js';
import { parseAddress } from '../email/address.js';
import { partiesOf } from '../email/sender/mail-parties.js';
import { checkSender } from '../email/sender/sender.js';
import { readSender } from '../email/sender/sender-settings.js';
import { dataProblem, withoutReserved } from '../message-limits.js';
import type { Outbound } from '../outbound/outbound.js';
import { reasonOf } from '../outbound/outbound-error.js';
import { secretsInUrl } from '../outbound/secrets-in-url.js';
import { ChannelTokens } from '../token/channel-tokens.js';
import { namesOf, plainSettings, type MailParties } from './names.js';
import { emptyParameter } from './template-names.js';
import { ProviderExchange } from './exchange.js';
import { holds } from './outcome.js';
import type { ProviderFile, RefusedSettings } from './provider.js';
import type { RenderedRequest } from './request/rendered-request.js';
import type { ProviderRequest } from './request/request.js';
import { SettingProblem } from './setting-problem.js';

/** A message that is not offered to the provider. */
const refusal = (problem: string, fault: Fault = 'message'): Outcome => ({
  kind: 'rejected',
  answer: answerOf(problem),
  fault,
  isLocal: true,
});

/** Why no message can be sent with these settings; null: they fit together. */
export function problemWithSettings(
  provider: ProviderFile,
  config: Readonly<Record<string, unknown>>,
  plain = plainSettings(provider.fields, config),
): Pick<RefusedSettings, 'because' | 'pauses'> | null {
  const refused = provider.refuse.find(({ applies }) => applies(config, plain));
  if (refused) return refused;
  const sender = provider.parts.includes('from') ? readSender(config) : null;
  return sender && 'problem' in sender ? { because: sender.problem, pauses: false } : null;
}

/** Why a message is not offered to the provider; null: it is. */
function problemWithMessage({ addressProblem, label, limits }: ProviderFile, { to, rich }: Message): string | null {
  const wrong = addressProblem?.(to) ?? dataProblem(rich, limits);
  if (wrong !== null) return wrong;
  const empty = rich?.template ? emptyParameter(rich.template) : null;
  return empty === null ? null : `${empty} is empty, and ${label} takes no empty parameter`;
}

/** How long messages go without a URL that the provider refused: somebody may make it reachable. */
const REFUSED_MS = 60 * 60_000;

/** Sends messages as a provider file says. `origin` replaces the host that the file has. */
export class ProviderSender {
  // Made when a provider refuses a URL: few do, and a start, which makes a sender for each provider, would spend 15 ms on all caches.
  private refusedUrls: LRUCache<string, true> | undefined;
  private readonly exchange: ProviderExchange;

  constructor(
    outbound: Outbound,
    private readonly origin?: string,
    tokens = new ChannelTokens(),
  ) {
    this.exchange = new ProviderExchange(outbound, tokens, origin);
  }

  async send(
    provider: ProviderFile,
    message: Message,
    config: ChannelConfig,
    channelId: number | null = null,
  ): Promise<Outcome> {
    const settings = plainSettings(provider.fields, config);
    const problem = problemWithSettings(provider, config, settings);
    if (problem?.pauses) return refusal(problem.because, 'channel');
    // The channel is misconfigured. Somebody may correct it before the retries end.
    if (problem) return { kind: 'retry', answer: problem.because };
    if (provider.limits.refusesEmpty && `${message.subject}${message.text}`.trim() === '')
      return refusal('the message is empty');
    const unfit = problemWithMessage(provider, message);
    if (unfit !== null) return refusal(unfit);
    const mail = provider.parts.includes('from') ? mailPartiesOf(message, config) : null;
    if (typeof mail === 'string') return refusal(mail);
    const request = provider.requests.find(({ when }) => when === null || holds(when, { settings }));
    if (!request) return { kind: 'retry', answer: 'the settings of the channel fit no request of its provider' };
    const { reportUrl } = message;
    const told = reportUrl !== undefined && this.refusedUrls?.has(reportUrl) ? withoutUrl(message) : message;
    const rendered = this.render(provider, request, told, config, mail);
    if ('kind' in rendered) return rendered;
    const isChosen = provider.isOwn || request.hosts.length > 0;
    const { outcome, refusesUrl } = await this.exchange.run(provider, rendered, {
      settings,
      secrets: [...secretsOf(provider, config), ...rendered.secrets],
      organization: isChosen ? message.about.organization : undefined,
      channelId,
    });
    if (!refusesUrl || told.reportUrl === undefined) return outcome;
    this.refusedUrls ??= new LRUCache({ max: 1000, ttl: REFUSED_MS });
    this.refusedUrls.set(told.reportUrl, true);
    return this.send(provider, withoutUrl(message), config, channelId);
  }

  /** The request, or the outcome if it cannot be made. */
  private render(
    provider: ProviderFile,
    request: ProviderRequest,
    message: Message,
    config: ChannelConfig,
    mail: MailParties | null,
  ): RenderedRequest | Outcome {
    const { subject, text, bodyBytes, cutsText } = provider.limits;
    const cut = {
      ...message,
      subject: cutText(message.subject, subject),
      text: cutText(message.text, text),
      rich: withoutReserved(message.rich, provider.limits),
    };
    const make = (shorter: string) => request.render(namesOf({ ...cut, text: shorter }, config, mail), this.origin);
    const fits = ({ body }: RenderedRequest) => Buffer.byteLength(body) <= bodyBytes;
    try {
      const whole = make(cut.text);
      if (fits(whole)) return whole;
      const most = Math.min(cut.text.length, bodyBytes);
      const made = cutsText ? make(cutToFit(cut.text, most, (shorter) => fits(make(shorter)))) : whole;
      if (fits(made)) return made;
      const size = Buffer.byteLength(made.body);
      const cutTo = cutsText ? ' without most of its text' : '';
      return refusal(`the message has ${size} bytes${cutTo}, and ${provider.label} takes ${bodyBytes}`);
    } catch (error) {
      return refusal(reasonOf(error), error instanceof SettingProblem ? 'channel' : 'message');
    }
  }
}

const withoutUrl = (message: Message): Message => ({ ...message, reportUrl: undefined });

/** Who a mail is from and to, or why it cannot be sent. The settings were checked before. */
function mailPartiesOf({ to, sender }: Message, config: ChannelConfig): MailParties | string {
  const settings = readSender(config);
  if ('problem' in settings) return settings.problem;
  const address = parseAddress(to);
  if (address === null) return 'the address is not one e-mail address';
  const [wrong] = sender ? checkSender(sender, settings.fromDomains) : [];
  if (wrong) return `the template’s ${wrong.part} ${wrong.sentence}`;
  return { ...partiesOf(sender ?? {}, settings), to: address };
}

/** Secret settings in the forms that an answer may quote. */
export function secretsOf({ fields }: ProviderFile, config: ChannelConfig): string[] {
  return fields
    .filter(({ key, secret }) => secret && config[key] !== undefined)
    .flatMap(({ key, kind }) => {
      const value = String(config[key]);
      // Of `123:abc` the second part is the actual secret, and remains when the colon was escaped.
      const forms = [value, encodeURIComponent(value), ...value.split(':').filter((part) => part.length >= 16)];
      return kind === 'url' ? [...forms, ...secretsInUrl(value)] : forms;
    });
}
