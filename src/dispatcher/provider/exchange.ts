import { failureOf } from '../answer/http-outcome.js';
import type { Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import type { ChannelTokens, TokenDemand } from '../token/channel-tokens.js';
import type { PostForm } from './auth/token-auth.js';
import { READ_BYTES, readAnswer } from './outcome.js';
import type { ProviderFile } from './provider.js';
import type { RenderedRequest } from './request/rendered-request.js';
import type { Variables } from './value.js';

/** What an exchange needs besides the request. */
interface ExchangeContext {
  /** Without secrets. */
  settings: Variables;
  secrets: readonly string[];
  /** The slug of the organization that chose the host; undefined: the file has it. */
  organization: string | undefined;
  /** Null: the channel is not stored. */
  channelId: number | null;
}

/** How an exchange ended, and what its answer says besides. */
interface Exchanged {
  outcome: Outcome;
  /** Whether the provider refuses the URL of the reports that the request has. */
  refusesUrl: boolean;
  /** What to do with the token. */
  advice: 'renew' | 'hold' | null;
}

const ended = (outcome: Outcome): Exchanged => ({ outcome, refusesUrl: false, advice: null });

/** A request that is ready to be sent. */
interface Authorized {
  request: RenderedRequest;
  /** The token that it has; null: it needs none. */
  demand: TokenDemand | null;
  value: string;
}

/** Sends requests of provider files, with the tokens that they need, and reads the answers. */
export class ProviderExchange {
  /** `origin` replaces the host that the file has. */
  constructor(
    private readonly outbound: Outbound,
    private readonly tokens: ChannelTokens,
    private readonly origin?: string,
  ) {}

  async run(provider: ProviderFile, request: RenderedRequest, context: ExchangeContext): Promise<Exchanged> {
    const authorized = await this.authorize(request, context.channelId);
    if ('failure' in authorized) return ended(authorized.failure);
    const { demand, value } = authorized;
    const exchanged = await this.send(provider, authorized.request, context);
    const { advice } = exchanged;
    if (!demand) return exchanged;
    if (advice === 'hold') await this.tokens.hold(demand).catch(() => {});
    return advice === 'renew' ? this.sendAgain(provider, request, context, { demand, value, exchanged }) : exchanged;
  }

  /** The request with the token that it needs, or the outcome if there is none. */
  async authorize(request: RenderedRequest, channelId: number | null): Promise<Authorized | { failure: Outcome }> {
    const { token: needed } = request;
    if (!needed) return { request, demand: null, value: '' };
    const demand = { ...needed, channelId, make: () => needed.make(this.postForm) };
    const found = await this.tokens.get(demand);
    return 'failure' in found ? found : { request: withToken(request, found.value), demand, value: found.value };
  }

  /** Once more, with another token if there is one. */
  private async sendAgain(
    provider: ProviderFile,
    request: RenderedRequest,
    context: ExchangeContext,
    { demand, value, exchanged }: { demand: TokenDemand; value: string; exchanged: Exchanged },
  ): Promise<Exchanged> {
    const found = await this.tokens.replace(demand, value);
    if (found === null) return exchanged;
    if ('failure' in found) return ended(found.failure);
    return this.send(provider, withToken(request, found.value), context);
  }

  private async send(
    provider: ProviderFile,
    { method, url, headers, body, token, secrets: added }: RenderedRequest,
    { settings, secrets: known, organization, channelId }: ExchangeContext,
  ): Promise<Exchanged> {
    const secrets = [...known, ...added];
    try {
      // Never two credentials on one connection: Apple would refuse one of them.
      const session = provider.transport === 'http2' ? `${channelId ?? ''} ${token?.fingerprint ?? ''}` : undefined;
      const post = { method, headers, body, organization, session, keptBytes: READ_BYTES };
      const answer = await this.outbound.post(url.href, post);
      const { outcome, entry } = readAnswer(provider, answer, settings, secrets);
      if (entry?.newConnection && session !== undefined) this.outbound.endSession(session, url.href);
      return { outcome, refusesUrl: entry?.withoutReportUrl ?? false, advice: entry?.token ?? null };
    } catch (error) {
      return ended(failureOf(error, secrets));
    }
  }

  private readonly postForm: PostForm = (url, form) =>
    this.outbound.post(this.origin === undefined ? url : this.origin + new URL(url).pathname, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Carillon' },
      body: new URLSearchParams(form).toString(),
      keptBytes: READ_BYTES,
    });
}

const withToken = (request: RenderedRequest, token: string): RenderedRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
  secrets: [...request.secrets, token],
});
