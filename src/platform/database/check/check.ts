/** One thing that `carillon doctor` looks at. */
export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** What to do if the check fails. */
  advice?: string;
}
