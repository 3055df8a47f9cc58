// Services allow letters, digits, `-` and `_` in such values.
const REFERENCE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{1,18})(?:_\d{1,2})?$/;

/** The text that a service hands back in the reports of a message, from the id of the message. It tells strangers nothing. A repeated message has a third part. */
export const referenceOf = (messageId: string): string => messageId.replaceAll('.', '_');

/** The occurrence and the delivery that a reference names; null if it is not one of ours. */
export function readReference(reference: string): { occurrence: string; delivery: string } | null {
  const [, occurrence, delivery] = REFERENCE.exec(reference) ?? [];
  return occurrence !== undefined && delivery !== undefined ? { occurrence, delivery } : null;
}

/** The reference that follows from the `Message-ID` of a mail; empty if it is not one of ours. */
export const referenceInMessageId = (id: string): string =>
  /([0-9a-f-]{36})=2E(\d{1,18})(?:=2E\d{1,2})?@/.exec(id)?.slice(1).join('_') ?? '';
