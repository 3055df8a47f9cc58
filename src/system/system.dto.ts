/** The key works. */
export class PingDto {
  /**
   * The name of the API key used.
   * @example 'ci'
   */
  token: string;
}

/** Whether the process can do its work. */
export class HealthDto {
  /**
   * `ok`, or `unavailable` with the reason in the checks.
   * @example 'ok'
   */
  status: string;

  /**
   * Each thing looked at, with `ok` or what is wrong.
   * @example { "database": "ok", "migrations": "ok" }
   */
  checks: Record<string, string>;
}
