import type { Problem } from './schema.js';

/** Thrown for every answer that is not a success. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    /** Headers of the answer, such as `Retry-After`. */
    readonly headers: Headers,
  ) {
    super(problem.detail);
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** With 400: the problems of each invalid field. */
  get errors(): Record<string, string[]> {
    return this.problem.errors ?? {};
  }

  /** With 400: the same for programs. `codes.email[0]` belongs to `errors.email[0]`. */
  get codes(): NonNullable<Problem['codes']> {
    return this.problem.codes ?? {};
  }

  static async from(response: Response): Promise<ProblemError> {
    const { status, statusText, headers } = response;
    const text = await response.text();
    // A proxy between client and service may answer in another format.
    const problem = headers.get('content-type')?.startsWith('application/problem+json')
      ? (JSON.parse(text) as Problem)
      : {
          type: 'about:blank',
          title: statusText,
          status,
          detail: text || `The service answered with status ${status}.`,
        };
    return new ProblemError(problem, headers);
  }
}
