import { answerOf } from '../../answer/answer.js';
import { failureOf } from '../../answer/http-outcome.js';
import type { HttpAnswer } from '../../answer/http-answer.js';
import type { ChannelConfig, Outcome, SettingsCheck } from '../../dispatcher.js';
import type { Outbound } from '../../outbound/outbound.js';
import { OutboundRefused, reasonOf } from '../../outbound/outbound-error.js';
import type { ChannelTokens } from '../../token/channel-tokens.js';
import { ProviderExchange } from '../exchange.js';
import { plainSettings } from '../names.js';
import { READ_BYTES, SHOWN_LENGTH, answerScope, foundIn, holds, readAnswer } from '../outcome.js';
import type { ProviderFile, ProviderTest } from '../provider.js';
import { problemWithSettings, secretsOf } from '../provider-sender.js';
import type { RenderedRequest } from '../request/rendered-request.js';
import type { Variables } from '../value.js';

interface Options {
  outbound: Outbound;
  /** Replaces the host that the file has. */
  origin: string | undefined;
  tokens: ChannelTokens;
  provider: ProviderFile;
  test: ProviderTest;
}

/** The provider says nothing about settings that cannot even be sent. */
const wrong = (answer: string): SettingsCheck => ({ ok: false, answer: answerOf(answer), fault: 'channel' });

/** Makes the test call of a file with the settings of a channel; null: there is none for these settings. Never throws. */
export async function checkSettings(
  { outbound, origin, tokens, provider, test }: Options,
  config: ChannelConfig,
  organization: string,
): Promise<SettingsCheck | null> {
  const plain = plainSettings(provider.fields, config);
  const { when } = test.request;
  if (when !== null && !holds(when, { settings: plain })) return null;
  const problem = problemWithSettings(provider, config);
  if (problem !== null) return wrong(problem.because);
  const rendered = requestOf(test, config, origin);
  if ('ok' in rendered) return rendered;
  // The channel may be one that was never stored, so its token is not stored either.
  const authorized = await new ProviderExchange(outbound, tokens, origin).authorize(rendered, null);
  if ('failure' in authorized) return failed(authorized.failure);
  const { method, url, headers, body, secrets: added } = authorized.request;
  const secrets = [...secretsOf(provider, config), ...added];
  // A host that customers choose is looked up on their account.
  const asking = test.request.hosts.length > 0 ? organization : undefined;
  try {
    const answer = await outbound.post(url.href, {
      method,
      headers,
      body,
      organization: asking,
      keptBytes: READ_BYTES,
    });
    return checkOf(provider, test, answer, plain, secrets);
  } catch (error) {
    const fault = error instanceof OutboundRefused ? 'channel' : 'provider';
    return { ok: false, answer: failureOf(error, secrets).answer, fault };
  }
}

const failed = ({ kind, answer }: Outcome): SettingsCheck => ({
  ok: false,
  answer,
  fault: kind === 'rejected' ? 'channel' : 'provider',
});

function requestOf({ request }: ProviderTest, config: ChannelConfig, origin?: string): RenderedRequest | SettingsCheck {
  try {
    return request.render({ settings: config }, origin);
  } catch (error) {
    return wrong(reasonOf(error));
  }
}

/** What an answer means. One that the file takes for a reason to send later says nothing about the settings, and neither does half an answer. */
export function checkOf(
  provider: Pick<ProviderFile, 'outcomes'>,
  test: Pick<ProviderTest, 'ok' | 'show'>,
  answer: HttpAnswer,
  settings: Variables,
  secrets: readonly string[],
): SettingsCheck {
  const { outcome } = readAnswer(provider, answer, settings, secrets);
  const scope = answerScope(answer, settings);
  const said = answer.status < 300 ? shownOf(test, scope, secrets) : outcome.answer;
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (!isRedirect && holds(test.ok, scope)) return { ok: true, answer: said };
  const cannotSay =
    (outcome.kind === 'retry' && outcome.about === undefined) || (answer.isCut === true && answer.status < 300);
  return { ok: false, answer: said, fault: cannotSay ? 'provider' : 'channel' };
}

/** Of a success, what the file shows of it. Whatever is no JSON does not come from the provider, and is shown whole. */
function shownOf({ show }: Pick<ProviderTest, 'show'>, scope: Variables, secrets: readonly string[]): string {
  const found = scope.body === null ? scope.text : show === null ? '' : foundIn(show, scope);
  const text = typeof found === 'string' ? found : found === null ? '' : JSON.stringify(found);
  return answerOf(`${String(scope.status)} ${text.slice(0, SHOWN_LENGTH)}`.trimEnd(), secrets);
}
