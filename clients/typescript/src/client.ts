import { ProblemError } from './problem-error.js';
import type { Operations } from './schema.js';
import { readEvents } from './stream-event.js';

export { ProblemError };
export type * from './schema.js';
export type { StreamEvent } from './stream-event.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Paths that support the method. */
export type PathOf<M extends Method> = {
  [Path in keyof Operations]: M extends keyof Operations[Path] ? Path : never;
}[keyof Operations];

type Operation<M extends Method, Path extends keyof Operations> = Operations[Path][M & keyof Operations[Path]];
type Success<O> = O extends { answers: infer Answers }
  ? { [Status in keyof Answers]: `${Status & number}` extends `2${number}` ? Answers[Status] : never }[keyof Answers]
  : never;

/** Input of an operation. */
export type Input<M extends Method, Path extends PathOf<M>> = Omit<Operation<M, Path>, 'answers'> & {
  signal?: AbortSignal;
};
/** Answer of an operation when it succeeds. */
export type Answer<M extends Method, Path extends PathOf<M>> = Success<Operation<M, Path>>;

/** Paths whose GET returns a list with pages. */
export type ListPath = {
  [Path in PathOf<'GET'>]: Operation<'GET', Path> extends { query?: infer Query }
    ? 'after' extends keyof NonNullable<Query>
      ? Path
      : never
    : never;
}[PathOf<'GET'>];

// The input may be left out if nothing in it is required.
type Rest<Given> = object extends Given ? [input?: Given] : [input: Given];

const EVENT = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/';
type TriggerPath = `${typeof EVENT}trigger/`;

/** What a trigger sends: the context for the templates, the options, and a key with which it happens only once. */
export type TriggerInput = NonNullable<Operation<'POST', TriggerPath>['body']> & {
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** The ETag of each answer that has one. */
const etags = new WeakMap<object, string>();

/**
 * The version of an answer, for a later change of the same thing: `headers: { 'If-Match': etagOf(answer) }`. If somebody has changed it
 * meanwhile, the change fails with a 412. Undefined: the answer has none.
 */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer);
}

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** One page of a list, and the query that asks for the next one. */
export interface ListPage<Items> {
  items: Items;
  next: Record<string, string> | null;
}

/**
 * Calls the API with one key; in a browser that is signed in, without one. Throws a `ProblemError` for every answer that is not a success.
 */
export class Carillon {
  private readonly base: string;
  private readonly key: string | undefined;

  constructor({ url, key }: { url: string; key?: string }) {
    this.base = url.replace(/\/+$/, '');
    this.key = key;
  }

  /** Triggers an event by its place, as in `demo/shop/web/order-paid`. */
  async trigger(
    event: string,
    { idempotencyKey, signal, ...body }: TriggerInput = {},
  ): Promise<Answer<'POST', TriggerPath>> {
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.call('POST', `${EVENT}trigger/`, { path: placeOf(event), headers, body, signal });
  }

  /** Uploads a file for a trigger: `options: { attachments: [{ upload: id }] }`. The type is that of the blob. */
  upload(organization: string, filename: string, content: Blob): Promise<Answer<'POST', '/api/o/{org}/uploads/'>> {
    return this.call('POST', '/api/o/{org}/uploads/', {
      path: { org: organization },
      query: { filename },
      body: content,
    });
  }

  /** Why a user was or was not sent something. `organization` is its slug. */
  explain(organization: string, occurrence: string, user: string) {
    const path = { org: organization, occurrence };
    return this.get('/api/o/{org}/occurrences/{occurrence}/explain/', { path, query: { user } });
  }

  /** The newest in-app messages of a user. */
  inbox(organization: string, username: string, { limit = 100 } = {}) {
    return this.get('/api/o/{org}/u/{username}/inbox/', { path: { org: organization, username }, query: { limit } });
  }

  get<Path extends PathOf<'GET'>>(path: Path, ...[input]: Rest<Input<'GET', Path>>) {
    return this.call<Answer<'GET', Path>>('GET', path, input);
  }

  post<Path extends PathOf<'POST'>>(path: Path, ...[input]: Rest<Input<'POST', Path>>) {
    return this.call<Answer<'POST', Path>>('POST', path, input);
  }

  put<Path extends PathOf<'PUT'>>(path: Path, ...[input]: Rest<Input<'PUT', Path>>) {
    return this.call<Answer<'PUT', Path>>('PUT', path, input);
  }

  patch<Path extends PathOf<'PATCH'>>(path: Path, ...[input]: Rest<Input<'PATCH', Path>>) {
    return this.call<Answer<'PATCH', Path>>('PATCH', path, input);
  }

  delete<Path extends PathOf<'DELETE'>>(path: Path, ...[input]: Rest<Input<'DELETE', Path>>) {
    return this.call<Answer<'DELETE', Path>>('DELETE', path, input);
  }

  /** Reads a list page by page, and requests each page only when it is needed. A page has 1,000 items unless `limit` is given. */
  async *pages<Path extends ListPath>(
    path: Path,
    ...[input]: Rest<Input<'GET', Path>>
  ): AsyncGenerator<Answer<'GET', Path>, void, undefined> {
    const asked: AnyInput = input ?? {};
    let query: AnyInput['query'] | null = { limit: 1000, ...asked.query };
    while (query) {
      const page: ListPage<Answer<'GET', Path>> = await this.page(path, { ...asked, query } as Input<'GET', Path>);
      yield page.items;
      query = page.next;
    }
  }

  /** Reads one page of a list. `next` is the query of the page after it, or null. */
  async page<Path extends ListPath>(path: Path, input: Input<'GET', Path>): Promise<ListPage<Answer<'GET', Path>>> {
    const response = await this.send('GET', path, input);
    return { items: (await response.json()) as Answer<'GET', Path>, next: nextQuery(response) };
  }

  private async call<Result>(method: Method, path: string, input?: AnyInput): Promise<Result> {
    const response = await this.send(method, path, input);
    if (response.status === 204) return undefined as Result;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return readEvents(response.body!) as Result;
    if (type.startsWith('application/x-ndjson')) return (await response.text()) as Result;
    const answer = (await response.json()) as Result & object;
    const etag = response.headers.get('etag');
    if (etag !== null) etags.set(answer, etag);
    return answer;
  }

  private async send(method: Method, path: string, input: AnyInput = {}): Promise<Response> {
    const url = new URL(this.base + filled(path, input.path));
    const headers = new Headers(this.key ? { Authorization: `Key ${this.key}` } : {});
    for (const [name, value] of given(input.query)) url.searchParams.set(name, value);
    for (const [name, value] of given(input.headers)) headers.set(name, value);
    const { body, type } = contentOf(input.body);
    if (type !== undefined) headers.set('Content-Type', type);
    const response = await fetch(url, { method, headers, body, signal: input.signal });
    if (!response.ok) throw await ProblemError.from(response);
    return response;
  }
}

/** A text is NDJSON, a blob is a file, and all else is JSON. */
function contentOf(body: unknown): { body?: string | Blob; type?: string } {
  if (body === undefined) return {};
  if (body instanceof Blob) return { body, type: body.type || 'application/octet-stream' };
  if (typeof body === 'string') return { body, type: 'application/x-ndjson' };
  return { body: JSON.stringify(body), type: 'application/json' };
}

function placeOf(event: string): Record<string, string> {
  const slugs = event.split('/');
  if (slugs.length !== 4) throw new TypeError(`"${event}" is not organization/project/application/event`);
  return Object.fromEntries(['org', 'prj', 'app', 'evt'].map((name, i) => [name, slugs[i]!]));
}

const given = (values: Record<string, unknown> = {}) =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));

function filled(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // A URL drops these segments, even if encoded, and the path would name another resource.
    if (['', '.', '..'].includes(value)) throw new TypeError(`"${value}" cannot be the ${name} of a path`);
    return encodeURIComponent(value);
  });
}

/** Uses only the query of the link: its host may not be reachable from here. */
function nextQuery(response: Response): Record<string, string> | null {
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '');
  return next && Object.fromEntries(new URL(next[1]!, response.url).searchParams);
}
