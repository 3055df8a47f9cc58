import type { Attachment } from 'postal-mime';

/** The fields of a report or of a mail's head, by name in lower case. */
export type Fields = Readonly<Record<string, string>>;

/** A mail that reports about another one, in the form that programs read (RFC 6522). */
export type ReportMail =
  /** RFC 3464: what became of a mail, for each of the addresses that it went to. `failed`: the addresses that Exim names in a header. */
  | { kind: 'status'; recipients: readonly Fields[]; failed: readonly string[] }
  /** RFC 5965: what a recipient thinks of it. `original` is the head of the mail. */
  | { kind: 'feedback'; feedback: Fields; original: Fields };

const STATUS = /^message\/(?:global-)?delivery-status$/;
const FEEDBACK = /^message\/feedback-report$/;
const ORIGINAL = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/(?:global|rfc822)-headers)$/;

/** A report needs a few KB. */
const MAX_PART = 64 * 1024;
/** A mail has one recipient. It has more only if that is a list. */
const MAX_RECIPIENTS = 50;

const PARSER = { forceRfc822Attachments: true, attachmentEncoding: 'utf8', maxNestingDepth: 10 } as const;

/**
 * Reads a mail, or its beginning: the returned mail comes last. Null: it is not such a report, but an automatic reply, a confirmation of
 * reading, or a bounce in words only.
 */
export async function readReportMail(raw: Buffer): Promise<ReportMail | null> {
  // Imported late: only a process that receives mails needs it.
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(raw, PARSER).catch(() => null);
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value.slice(0, MAX_PART) ?? '';
  if (!mail || !/^multipart\/report\b/i.test(header('content-type'))) return null;
  const part = (pattern: RegExp) => textOf(mail.attachments.find(({ mimeType }) => pattern.test(mimeType)));
  const status = part(STATUS);
  const failed = header('x-failed-recipients')
    .split(/[\s,]+/)
    .filter(Boolean);
  if (status !== '') return { kind: 'status', recipients: recipientsIn(status), failed };
  const feedback = part(FEEDBACK);
  return feedback === ''
    ? null
    : { kind: 'feedback', feedback: fieldsIn(feedback), original: fieldsIn(part(ORIGINAL)) };
}

const textOf = (part: Attachment | undefined): string =>
  typeof part?.content === 'string' ? part.content.slice(0, MAX_PART).replace(/\r\n?/g, '\n') : '';

/** The groups of fields that are each about one recipient. The group before them, about the whole mail, has no action. */
const recipientsIn = (status: string): Fields[] =>
  status
    .split(/\n[ \t]*\n/)
    .map(fieldsIn)
    .filter(({ action }) => action !== undefined)
    .slice(0, MAX_RECIPIENTS);

/** The fields before the first empty line. Of a field that is given twice, the first counts. */
function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>();
  const [head = ''] = text.trimStart().split(/\n[ \t]*\n/, 1);
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([!-9;-~]{1,80}):(.*)$/.exec(line) ?? [];
    if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value!.trim());
  }
  return Object.fromEntries(fields);
}
