/** Describes an error in one line. */
export function describeError(error: unknown): string {
  const { message, errors, code } = error as Error & { errors?: Error[]; code?: string };
  // If a host name has two addresses and both refuse, Node throws an AggregateError with an empty message.
  return message || errors?.map((inner) => inner.message).join('; ') || code || String(error);
}
