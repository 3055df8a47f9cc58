import type { BounceAddresses } from './bounce/bounce-address.js';
import type { Dispatcher } from './dispatcher.js';
import { EmailDispatcher } from './email/email.dispatcher.js';
import { InboxDispatcher } from './inbox/inbox.dispatcher.js';
import { LogDispatcher } from './log/log.dispatcher.js';
import type { Outbound } from './outbound/outbound.js';
import { builtInDispatchers, operatorDispatchers } from './provider/built-in.js';
import { HttpDispatcher } from './provider/http.dispatcher.js';
import { ChannelTokens } from './token/channel-tokens.js';
import type { TokenStore } from './token/token-store.js';
import { WebhookDispatcher } from './webhook/webhook.dispatcher.js';
import { WebpushDispatcher } from './webpush/webpush.dispatcher.js';

/** All dispatchers by type. */
export function dispatchers(options: {
  outbound: Outbound;
  log: (line: string) => void;
  /** Null: nothing is sent. */
  bounces: BounceAddresses | null;
  /** The folder with the operator's provider files; null: there is none. */
  providersDir: string | null;
  /** Where processes share the tokens of channels; left out: they do not. */
  tokenStore?: TokenStore;
}): ReadonlyMap<string, Dispatcher> {
  const tokens = new ChannelTokens(options.tokenStore);
  return byType([
    new EmailDispatcher(options.outbound, options.bounces),
    new WebhookDispatcher(options.outbound),
    new WebpushDispatcher(options.outbound),
    new InboxDispatcher(),
    new LogDispatcher(options.log),
    new HttpDispatcher(options.outbound),
    ...builtInDispatchers(options.outbound, tokens),
    ...(options.providersDir === null ? [] : operatorDispatchers(options.providersDir, options.outbound, tokens)),
  ]);
}

/** Throws when two dispatchers have the same type, so that the service does not start. */
export function byType(list: readonly Dispatcher[]): ReadonlyMap<string, Dispatcher> {
  const map = new Map<string, Dispatcher>();
  for (const dispatcher of list) {
    if (map.has(dispatcher.type)) throw new Error(`two dispatchers have the type "${dispatcher.type}"`);
    map.set(dispatcher.type, dispatcher);
  }
  return map;
}
