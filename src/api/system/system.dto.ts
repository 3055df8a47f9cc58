/** The API key is valid. */
export class PingDto {
  /**
   * Name of the API key.
   * @example 'ci'
   */
  token: string;
}

/** State of the process. */
export class HealthDto {
  /**
   * `ok` or `unavailable`; `checks` gives the reason.
   * @example 'ok'
   */
  status: string;

  /**
   * Result of each check: `ok` or the problem.
   * @example { "database": "ok", "migrations": "ok" }
   */
  checks: Record<string, string>;
}
