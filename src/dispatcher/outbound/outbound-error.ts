/** We may not go there, now or later. */
export class OutboundRefused extends Error {}

/** No answer in time. */
export class OutboundTimeout extends Error {}

/** The name, the connection or the conversation failed. */
export class OutboundFailed extends Error {}

/** What went wrong, in a few words; a connection tried at several addresses failed once at each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
