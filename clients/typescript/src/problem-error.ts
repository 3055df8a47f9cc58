import type { Problem } from './schema.js';

/** Every answer that is no success is thrown as one of these. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    /** Of the answer; `Retry-After` may be among them. */
    readonly headers: Headers,
  ) {
    super(problem.detail);
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** With 400: each field with what is wrong about it. */
  get errors(): Record<string, string[]> {
    return this.problem.errors ?? {};
  }

  static async from(response: Response): Promise<ProblemError> {
    const { status, statusText, headers } = response;
    const text = await response.text();
    // A proxy between us and the service answers in its own words.
    const problem = headers.get('content-type')?.startsWith('application/problem+json')
      ? (JSON.parse(text) as Problem)
      : { type: 'about:blank', title: statusText, status, detail: text || `The answer was ${status}.` };
    return new ProblemError(problem, headers);
  }
}
