import { randomUUID } from 'node:crypto';
import { headOf, part } from '../mime.js';
import type { Mail } from '../mime.js';

/** A file of a mail. */
export interface MailFile {
  filename: string;
  contentType: string;
  /** With it, the HTML shows the file by `cid:`. */
  cid?: string;
  /** Base64 in lines. */
  content: Buffer;
}

/** A mail in pieces. The bytes of its files are not copied: all mails share them. */
export type MailPieces = readonly (string | Buffer)[];

/** Whether mail programs show the buttons of a calendar file. */
export const isInvitation = (contentType: string): boolean => /^text\/calendar\b.*;\s*method=/i.test(contentType);

/** Composes a mail with files. `composeMail` is for those without, which are nearly all. */
export function composeWithFiles(mail: Mail, files: readonly MailFile[]): MailPieces {
  const { text, html } = mail;
  const isShown = ({ cid }: MailFile) => cid !== undefined && html !== '';
  const shown = files.filter(isShown);
  const attached = files.filter((file) => !isShown(file));
  const invitation = files.find(({ contentType }) => isInvitation(contentType));
  const alternatives: MailPieces[] = [
    ...(text === '' && html !== '' ? [] : [[part('text/plain', text)]]),
    ...(html === '' ? [] : [shown.length === 0 ? [part('text/html', html)] : related(html, shown)]),
    // Mail programs show its buttons only if it is an alternative to the text.
    ...(invitation ? [[encodedHead(invitation.contentType), invitation.content]] : []),
  ];
  const body = alternatives.length === 1 ? alternatives[0]! : multipart('alternative', alternatives);
  const all = attached.length === 0 ? body : multipart('mixed', [body, ...attached.map(attachmentOf)]);
  return [`${headOf(mail)}\r\n`, ...all];
}

const related = (html: string, images: MailFile[]): MailPieces =>
  multipart('related', [[part('text/html', html)], ...images.map(attachmentOf)]);

function multipart(kind: 'mixed' | 'alternative' | 'related', parts: MailPieces[]): MailPieces {
  // As in composeMail: it cannot occur in an encoded body, and cannot be guessed.
  const boundary = `=_${randomUUID()}`;
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n`,
    ...parts.flatMap((each) => [`--${boundary}\r\n`, ...each, '\r\n']),
    `--${boundary}--\r\n`,
  ];
}

const encodedHead = (type: string, ...more: string[]): string =>
  [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...more, '', ''].join('\r\n');

function attachmentOf({ filename, contentType, cid, content }: MailFile): MailPieces {
  const disposition = `Content-Disposition: ${cid === undefined ? 'attachment' : 'inline'};${named(filename)}`;
  const id = cid === undefined ? [] : [`Content-ID: <${cid}>`];
  return [encodedHead(contentType, disposition, ...id), content];
}

/** A name as a parameter, by RFC 2231 if it is not plain: in sections, because a line may have 998 characters. */
function named(filename: string): string {
  if (/^[ -~]*$/.test(filename)) return `\r\n filename="${filename.replace(/["\\]/g, '\\$&')}"`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const sections = encoded.match(/(?:%[0-9A-F]{2}|[^%]){1,20}/g)!;
  if (sections.length === 1) return `\r\n filename*=UTF-8''${encoded}`;
  return sections.map((each, i) => `\r\n filename*${i}*=${i === 0 ? "UTF-8''" : ''}${each}`).join(';');
}

/** The bytes of a mail. */
export const lengthOfPieces = (pieces: MailPieces): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length), 0);
