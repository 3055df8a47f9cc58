import type { ConfigField } from '../../dispatcher.js';
import type { FilePlace } from '../read/place.js';
import type { RenderedRequest } from '../request/rendered-request.js';
import { headerText } from '../setting-problem.js';
import { textValue, type KnownNames, type Variables } from '../value.js';
import { appleToken, problemWithAppleKey } from './apple-token.js';
import { googleToken, problemWithServiceAccount } from './google-service-account.js';
import { signAws } from './sigv4.js';

/** Adds to a request what proves who sends it. */
export type Authenticate = (request: RenderedRequest, names: Variables) => RenderedRequest;

type ReadAuth = (place: FilePlace, known: KnownNames) => Authenticate;

const withHeader = (request: RenderedRequest, name: string, value: string, secrets: string[]): RenderedRequest => ({
  ...request,
  headers: { ...request.headers, [name.toLowerCase()]: headerText(name, value) },
  secrets: [...request.secrets, ...secrets],
});

/** The texts of a map by key, such as `{ username: ..., password: ... }`. */
function textsIn(place: FilePlace, keys: readonly string[], optional: readonly string[], known: KnownNames) {
  place.only([...keys, ...optional]);
  const made = [
    ...keys.map((key) => [key, place.need(key)] as const),
    ...optional.map((key) => [key, place.at(key)] as const),
  ].map(([key, value]) => [key, value ? textValue(value, known) : () => ''] as const);
  return (names: Variables) => Object.fromEntries(made.map(([key, make]) => [key, String(make(names) ?? '')]));
}

/** AWS wants these headers signed. */
const isSigned = ([name]: [string, string]): boolean => name === 'content-type' || name.startsWith('x-amz-');

const KINDS: Readonly<Record<string, ReadAuth>> = {
  none: () => (request) => request,
  basic: (place, known) => {
    const texts = textsIn(place, ['username'], ['password'], known);
    return (request, names) => {
      const { username, password } = texts(names);
      const login = Buffer.from(`${username}:${password}`).toString('base64');
      return withHeader(request, 'authorization', `Basic ${login}`, [login]);
    };
  },
  bearer: (place, known) => {
    const token = textValue(place, known);
    return (request, names) => {
      const text = String(token(names) ?? '');
      // An optional token that is not set.
      if (text === '') return request;
      return withHeader(request, 'authorization', `Bearer ${text}`, [text]);
    };
  },
  header: (place, known) => {
    const made = place.entries().map(([name, value]) => [name, textValue(value, known)] as const);
    return (request, names) =>
      made.reduce((all, [name, make]) => {
        const text = String(make(names) ?? '');
        return withHeader(all, name, text, [text]);
      }, request);
  },
  query: (place, known) => {
    const made = place.entries().map(([name, value]) => [name, textValue(value, known)] as const);
    return (request, names) => {
      const texts = made.map(([name, make]) => [name, String(make(names) ?? '')] as const);
      for (const [name, text] of texts) request.url.searchParams.set(name, text);
      return { ...request, secrets: [...request.secrets, ...texts.map(([, text]) => text)] };
    };
  },
  aws_sigv4: (place, known) => {
    const texts = textsIn(place, ['service', 'region', 'access_key', 'secret_key'], ['session_token'], known);
    return (request, names) => {
      const {
        service = '',
        region = '',
        access_key: accessKey = '',
        secret_key: secretKey = '',
        ...more
      } = texts(names);
      const { session_token: sessionToken = '' } = more;
      const signed = Object.fromEntries(Object.entries(request.headers).filter(isSigned));
      const keys = { service, region, accessKey, secretKey, sessionToken };
      const added = signAws({ ...request, headers: signed }, keys, new Date());
      for (const [name, value] of Object.entries(added)) headerText(name, value);
      const headers = { ...request.headers, ...added };
      return { ...request, headers, secrets: [...request.secrets, secretKey, sessionToken] };
    };
  },
  google_service_account: (place, known) => {
    const texts = textsIn(place, ['key', 'scope'], ['token_url'], known);
    const tokenUrl = place.at('token_url');
    if (tokenUrl?.text().includes('{{')) tokenUrl.fail('must be the same for all channels');
    return (request, names) => {
      const { key = '', scope = '', token_url: url = '' } = texts(names);
      return { ...request, token: googleToken(key, scope, url || undefined) };
    };
  },
  apple_token: (place, known) => {
    const texts = textsIn(place, ['key', 'key_id', 'team_id'], [], known);
    return (request, names) => {
      const { key: pem = '', key_id: keyId = '', team_id: team = '' } = texts(names);
      return { ...request, token: appleToken({ team, keyId, pem }) };
    };
  },
};

/** The kinds whose tokens all processes share. Customers’ own descriptions have none: a key does not fit into their one secret. */
const KEY_PROBLEMS: Readonly<Record<string, (key: string) => string | null>> = {
  google_service_account: problemWithServiceAccount,
  apple_token: problemWithAppleKey,
};

/** Whether the requests need tokens that are stored. */
export const needsTokens = (place: FilePlace | null): boolean =>
  Object.keys(Object(place?.value) as object).some((kind) => kind in KEY_PROBLEMS);

/** The fields with a check of the one that holds the key of tokens. */
export function checkedAsKeys(fields: readonly ConfigField[], place: FilePlace | null): ConfigField[] {
  const [[kind, value] = ['', null]] = Object.entries(Object(place?.value) as Record<string, unknown>);
  const problem = KEY_PROBLEMS[kind];
  const written = String((value as { key?: unknown } | null)?.key);
  const name = /^\{\{\s*settings\.([a-z0-9_]+)\s*\}\}$/.exec(written)?.[1];
  return fields.map((field) => (problem && field.key === name ? { ...field, problem } : field));
}

/** The settings that become a header. Those of `basic` and `query` are encoded, and may have any characters. */
export function settingsInHeaders(place: FilePlace | null): string[] {
  const {
    basic: _basic,
    query: _query,
    google_service_account: _google,
    apple_token: _apple,
    ...inHeaders
  } = Object(place?.value) as Record<string, unknown>;
  return [...JSON.stringify(inHeaders).matchAll(/\bsettings\.([a-z0-9_]+)/g)].map(([, key]) => key!);
}

/** Reads `auth`, which is left out where the request itself has the token. */
export function readAuth(place: FilePlace | null, known: KnownNames): Authenticate {
  if (place === null || place.value === 'none') return KINDS.none!(place!, known);
  const [[kind, value] = [], ...more] = place.only(Object.keys(KINDS)).entries();
  if (kind === undefined || value === undefined || more.length > 0)
    return place.fail(`must have one of ${Object.keys(KINDS).join(', ')}`);
  return KINDS[kind]!(value, known);
}
