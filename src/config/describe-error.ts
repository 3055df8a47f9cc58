/** An error in one line. */
export function describeError(error: unknown): string {
  const { message, errors, code } = error as Error & { errors?: Error[]; code?: string };
  // A refused connection to a name with two addresses is an AggregateError without words of its own.
  return message || errors?.map((inner) => inner.message).join('; ') || code || String(error);
}
