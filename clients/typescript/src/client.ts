import { ProblemError } from './problem-error.js';
import type { Operations } from './schema.js';
import { readEvents } from './stream-event.js';

export { ProblemError };
export type * from './schema.js';
export type { StreamEvent } from './stream-event.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have the method. */
export type PathOf<M extends Method> = {
  [Path in keyof Operations]: M extends keyof Operations[Path] ? Path : never;
}[keyof Operations];

type Operation<M extends Method, Path extends keyof Operations> = Operations[Path][M & keyof Operations[Path]];
type Success<O> = O extends { answers: infer Answers }
  ? { [Status in keyof Answers]: `${Status & number}` extends `2${number}` ? Answers[Status] : never }[keyof Answers]
  : never;

/** What an operation takes. */
export type Input<M extends Method, Path extends PathOf<M>> = Omit<Operation<M, Path>, 'answers'> & {
  signal?: AbortSignal;
};
/** What an operation answers when it succeeds. */
export type Answer<M extends Method, Path extends PathOf<M>> = Success<Operation<M, Path>>;

/** The paths whose GET answers a list in pages. */
export type ListPath = {
  [Path in PathOf<'GET'>]: Operation<'GET', Path> extends { query?: infer Query }
    ? 'after' extends keyof NonNullable<Query>
      ? Path
      : never
    : never;
}[PathOf<'GET'>];

// Left out where nothing is required.
type Rest<Given> = object extends Given ? [input?: Given] : [input: Given];

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** A caller of the API with one key. What is no success is thrown as a `ProblemError`. */
export class Carillon {
  private readonly base: string;
  private readonly key: string;

  constructor({ url, key }: { url: string; key: string }) {
    this.base = url.replace(/\/+$/, '');
    this.key = key;
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

  /** A list page by page, each asked for when it is wanted: 1,000 rows at a time unless `limit` says otherwise. */
  async *pages<Path extends ListPath>(
    path: Path,
    ...[input]: Rest<Input<'GET', Path>>
  ): AsyncGenerator<Answer<'GET', Path>, void, undefined> {
    const asked: AnyInput = input ?? {};
    let query: AnyInput['query'] | null = { limit: 1000, ...asked.query };
    while (query) {
      const response = await this.send('GET', path, { ...asked, query });
      yield (await response.json()) as Answer<'GET', Path>;
      query = nextQuery(response);
    }
  }

  private async call<Result>(method: Method, path: string, input?: AnyInput): Promise<Result> {
    const response = await this.send(method, path, input);
    if (response.status === 204) return undefined as Result;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    return (isStream ? readEvents(response.body!) : await response.json()) as Result;
  }

  private async send(method: Method, path: string, input: AnyInput = {}): Promise<Response> {
    const url = new URL(this.base + filled(path, input.path));
    const headers = new Headers({ Authorization: `Key ${this.key}` });
    for (const [name, value] of given(input.query)) url.searchParams.set(name, value);
    for (const [name, value] of given(input.headers)) headers.set(name, value);
    if (input.body !== undefined) headers.set('Content-Type', 'application/json');
    const response = await fetch(url, { method, headers, body: JSON.stringify(input.body), signal: input.signal });
    if (!response.ok) throw await ProblemError.from(response);
    return response;
  }
}

const given = (values: Record<string, unknown> = {}) =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));

function filled(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // A URL leaves these out, encoded or not, and the path would be that of something else.
    if (['', '.', '..'].includes(value)) throw new TypeError(`"${value}" cannot be the ${name} of a path`);
    return encodeURIComponent(value);
  });
}

/** Only what the link asks for: its host may be one that is not seen from here. */
function nextQuery(response: Response): Record<string, string> | null {
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '');
  return next && Object.fromEntries(new URL(next[1]!, response.url).searchParams);
}
