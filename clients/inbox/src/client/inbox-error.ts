/** Thrown when the service refuses a call or cannot be reached. */
export class InboxError extends Error {
  override readonly name = 'InboxError';

  constructor(
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** How long the service asks to wait. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }

  /** Whether a new attempt with the same token is pointless. */
  get isRefused(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 404;
  }

  static async from(response: Response): Promise<InboxError> {
    const { status, headers } = response;
    const body: unknown = await response.json().catch(() => null);
    const detail = body && typeof body === 'object' && 'detail' in body ? String(body.detail) : null;
    return new InboxError(
      detail ?? `The service answered with status ${status}.`,
      status,
      readRetryAfter(headers.get('Retry-After')),
    );
  }

  static of(error: unknown): InboxError {
    return error instanceof InboxError
      ? error
      : new InboxError(error instanceof Error ? error.message : String(error), 0);
  }
}

/** A number of seconds, or a date (RFC 9110). */
function readRetryAfter(text: string | null): number {
  if (!text) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.max(0, ms || 0);
}
