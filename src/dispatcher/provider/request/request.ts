import type { CompiledWhen } from '../../../platform/field/expression/when.js';
import type { ConfigField } from '../../dispatcher.js';
import { readAuth, type Authenticate } from '../auth/auth.js';
import { answerNames } from '../names.js';
import type { FilePlace } from '../read/place.js';
import { anyValue, checked, isEmpty, type KnownNames, type Variables, type Value } from '../value.js';
import { BODY_KEYS, readBody, type MakeBody } from './body.js';
import { METHODS, type RenderedRequest } from './rendered-request.js';
import { readUrl, type ProviderUrl } from './url.js';

/** A request of a provider file. */
export interface ProviderRequest {
  /** JMESPath over `settings`; null: always. */
  when: CompiledWhen | null;
  /** The settings that decide the host. */
  hosts: readonly string[];
  /** Throws if a value cannot be used. */
  render(names: Variables, origin?: string): RenderedRequest;
}

interface Parts {
  method: RenderedRequest['method'];
  url: ProviderUrl;
  headers: Value;
  query: Value;
  makeBody: MakeBody;
  authenticate: Authenticate;
}

/** `auth` belongs to all requests of the file. */
export function readRequest(
  place: FilePlace,
  auth: FilePlace | null,
  known: KnownNames,
  fields: readonly ConfigField[],
): ProviderRequest {
  place.only(['when', 'method', 'url', 'headers', 'query', ...BODY_KEYS]);
  const none = () => ({});
  const when = place.at('when');
  const parts: Parts = {
    method: place.at('method')?.oneOf(METHODS) ?? 'POST',
    url: readUrl(place.need('url'), known, fields),
    headers: mapAt(place, 'headers', known) ?? none,
    query: mapAt(place, 'query', known) ?? none,
    makeBody: readBody(place, known),
    authenticate: readAuth(auth, known),
  };
  return {
    when: when && checked(when, { settings: answerNames(fields.map(({ key }) => key)).settings! }),
    hosts: parts.url.hosts,
    render: (names, origin) => render(parts, names, origin),
  };
}

function mapAt(place: FilePlace, key: string, known: KnownNames): Value | null {
  const map = place.at(key);
  map?.entries();
  return map && anyValue(map, known);
}

function render(
  { method, makeBody, authenticate, ...make }: Parts,
  names: Variables,
  origin?: string,
): RenderedRequest {
  const url = make.url.render(names, origin);
  for (const [name, value] of textsOf(make.query(names))) url.searchParams.set(name, value);
  const { type, body } = makeBody(names);
  const headers = {
    ...(type === '' ? {} : { 'content-type': type }),
    'user-agent': 'Carillon',
    ...Object.fromEntries(textsOf(make.headers(names)).map(([name, value]) => [name.toLowerCase(), oneLine(value)])),
  };
  return authenticate({ method, url, headers, body, secrets: [] }, names);
}

const textsOf = (map: unknown): [string, string][] =>
  Object.entries(Object(map) as Record<string, unknown>)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);

/** A line break in a header would begin another one. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
