import type { ChannelConfig } from '../../dispatcher.js';
import { isSameSecret } from '../../report/same-secret.js';
import type { FilePlace } from '../read/place.js';

/** A GET that a provider makes to see whether the URL of the reports is its owner's: it has a token, and wants a value of its query back. */
export interface Handshake {
  /** The setting with the token. */
  key: string;
  /** The fields of the query that have the token, and what is sent back. */
  token: string;
  answer: string;
  /** Fields of the query with one value only. */
  query: Readonly<Record<string, string>>;
}

/** What may be sent back: it comes from whoever calls the URL. */
const ANSWER = /^[\w.-]{1,200}$/;

const MAX_TOKEN_LENGTH = 1000;

export function readHandshake(place: FilePlace, settings: readonly string[]): Handshake {
  place.only(['key', 'token', 'answer', 'query']);
  const query = place.at('query')?.entries() ?? [];
  return {
    key: place.need('key').oneOf(settings),
    token: place.need('token').text(),
    answer: place.need('answer').text(),
    query: Object.fromEntries(query.map(([name, value]) => [name, value.text()])),
  };
}

/** What is sent back; null: it is not the provider, or the channel has no token. */
export function answerHandshake(handshake: Handshake, config: ChannelConfig, query: URLSearchParams): string | null {
  const expected = config[handshake.key];
  const given = query.get(handshake.token) ?? '';
  const answer = query.get(handshake.answer) ?? '';
  if (typeof expected !== 'string' || given.length > MAX_TOKEN_LENGTH || !isSameSecret(given, expected)) return null;
  const fits = Object.entries(handshake.query).every(([name, value]) => query.get(name) === value);
  return fits && ANSWER.test(answer) ? answer : null;
}
