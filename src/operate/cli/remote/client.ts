import { describeError } from '../../../platform/config/describe-error.js';
import { CommandError } from '../print/print.js';

/** The service that a command talks to, instead of a database. */
export interface RemoteService {
  url: string;
  key: string;
}

/** RFC 9457, as every refusal of the service has it. */
interface RemoteProblem {
  detail: string;
  errors?: Record<string, string[]>;
}

interface RemoteRequest {
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  file?: Blob;
  headers?: Record<string, string>;
  /** How long the command waits for the whole answer. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/** A refusal of the service. Its message is the detail, and below it one line for each field. */
export class RemoteError extends CommandError {
  constructor(
    readonly status: number,
    readonly detail: string,
    /** With 400: the problems of each invalid field. */
    readonly errors: Record<string, string[]> = {},
  ) {
    const lines = Object.entries(errors).flatMap(([field, all]) => all.map((sentence) => `${field}: ${sentence}`));
    super([detail, ...lines].join('\n'));
  }
}

/** Sends the requests of a command with its key. */
export class RemoteClient {
  private readonly base: string;
  private readonly key: string;

  constructor({ url, key }: RemoteService) {
    this.base = url.replace(/\/+$/, '');
    this.key = key;
  }

  /** The body of the answer; undefined: it has none. A refusal is thrown as a `RemoteError`. */
  async send<Answer>(method: string, path: string, request: RemoteRequest = {}): Promise<Answer> {
    const response = await this.open(method, path, request);
    const text = await whileAlive(() => response.text()).catch((error: unknown) => this.fail(error, request));
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  /** The answer itself, for a command that prints it as it arrives. */
  async open(method: string, path: string, request: RemoteRequest = {}): Promise<Response> {
    const { query = {}, body, file, headers, timeoutMs = TIMEOUT_MS } = request;
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
    const response = await whileAlive(() =>
      fetch(url, {
        method,
        headers: {
          ...{ Accept: 'application/json', Authorization: `Key ${this.key}` },
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(file !== undefined && { body: file }),
        // The key must not follow a redirection to another host.
        redirect: 'error',
        signal: timeoutMs === Infinity ? null : AbortSignal.timeout(timeoutMs),
      }),
    ).catch((error: unknown) => this.fail(error, request));
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  private fail(error: unknown, { timeoutMs = TIMEOUT_MS }: RemoteRequest): never {
    const { name, cause } = error as Error;
    const reason =
      name === 'TimeoutError'
        ? `did not answer within ${timeoutMs / 1000} s`
        : `cannot be reached: ${describeError(cause ?? error)}`;
    throw new CommandError(`the service at ${this.base} ${reason}`, { cause: error });
  }
}

const LONG_MS = 2 ** 30;

/**
 * Keeps the process alive until the request has ended. In Node 20, a request whose connection was closed at once neither ends nor holds the
 * process, and so the process would end without a word. The timer of an `AbortSignal` does not hold it either.
 */
async function whileAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, LONG_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** A proxy between the command and the service may answer in another format. */
async function refusalOf(response: Response): Promise<RemoteError> {
  const { status, statusText, headers } = response;
  const text = await response.text().catch(() => '');
  if (headers.get('content-type')?.startsWith('application/problem+json')) {
    const { detail, errors } = JSON.parse(text) as RemoteProblem;
    return new RemoteError(status, detail, errors);
  }
  return new RemoteError(status, `the service answered ${[status, statusText].filter(Boolean).join(' ')}`);
}
