import { createHash, sign } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { MailPieces } from '../file/compose-with-files.js';
import { relaxedEnd, relaxedHeader, relaxedLines } from './canonical.js';
import type { DkimKey } from './dkim-key.js';

/** A key and the name under which its public half is published. */
export interface Signer extends DkimKey {
  selector: string;
}

/** Signed once more than they occur, even if they do not: nobody can add another one on the way. */
const OVERSIGNED = ['from', 'to', 'subject', 'date', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post'];

/** Signed if the mail has them. */
const SIGNED = [
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'in-reply-to',
  'references',
];

/** How much of a file is hashed at once. Other work goes on in between: 10 MB take 10 to 100 ms, by the processor. */
const SLICE_BYTES = 256 * 1024;

const END_OF_HEAD = '\r\n\r\n';

/** With a callback Node signs in another thread: an RSA signature takes longer than everything else that is done for a mail. */
const signed = promisify(sign);

/**
 * Signs a mail once with each key (RFC 6376, RFC 8463), and returns it with its signatures in front. The bytes of files are hashed where they are:
 * all mails share them. Throws if a key cannot sign.
 */
export async function signMail(
  content: string | MailPieces,
  signers: readonly Signer[],
  domain: string,
  at: Date,
): Promise<string | MailPieces> {
  const [first, rest] = typeof content === 'string' ? [content, []] : leadingText(content);
  const headEnd = first.indexOf(END_OF_HEAD);
  const bodyHash = await hashOfBody(first.slice(headEnd + END_OF_HEAD.length), rest);
  const fields = fieldsOf(first.slice(0, headEnd));
  const names = [...OVERSIGNED.flatMap((name) => (fields.has(name) ? [name, name] : [name])), ...present(fields)];
  const canonical = names.flatMap((name, i) => (names.indexOf(name) === i ? (fields.get(name) ?? []) : []));
  const time = Math.floor(at.getTime() / 1000);
  const headers = await Promise.all(
    signers.map(async (signer) => {
      const { algorithm, selector } = signer;
      const tags = [
        `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain};`,
        ` s=${selector}; t=${time};`,
        ` h=${folded(names)};`,
        ` bh=${bodyHash};`,
        ' b=',
      ].join('\r\n');
      const value = await signatureOf(signer, [...canonical, relaxedHeader(tags)].join('\r\n'));
      return `${tags}${value.replace(/.{72}(?=.)/g, '$&\r\n ')}\r\n`;
    }),
  );
  const all = headers.join('');
  return typeof content === 'string' ? all + content : [all, ...content];
}

/** The text before the first file, and the pieces from there on. */
function leadingText(pieces: MailPieces): [string, MailPieces] {
  const end = pieces.findIndex((piece) => typeof piece !== 'string');
  const texts = end < 0 ? pieces : pieces.slice(0, end);
  return [texts.join(''), end < 0 ? [] : pieces.slice(end)];
}

/** The canonical form of each header field, by name. The composer writes none twice. */
function fieldsOf(head: string): Map<string, string> {
  return new Map(
    head.split(/\r\n(?![ \t])/).map((field) => {
      const canonical = relaxedHeader(field);
      return [canonical.slice(0, canonical.indexOf(':')), canonical];
    }),
  );
}

const present = (fields: Map<string, string>): string[] => SIGNED.filter((name) => fields.has(name));

/** The names in lines that no mail server folds again. */
const folded = (names: readonly string[]): string => names.join(':').replace(/(.{50,70}:)/g, '$1\r\n  ');

/** `text` is followed by `rest`, which starts with a file. Files consist of whole lines without spaces, so they are canonical. */
async function hashOfBody(text: string, rest: MailPieces): Promise<string> {
  const hash = createHash('sha256');
  let pending = text;
  for (const piece of rest) {
    if (typeof piece === 'string') pending += piece;
    else {
      hash.update(relaxedLines(pending));
      pending = '';
      await hashFile(hash, piece);
    }
  }
  return hash.update(relaxedEnd(pending)).digest('base64');
}

async function hashFile(hash: Hash, file: Buffer): Promise<void> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(file.subarray(at, at + SLICE_BYTES));
  }
}

/** Ed25519 signs the hash of the text, as RFC 8463 says; RSA includes the hash. */
async function signatureOf({ key, algorithm }: DkimKey, text: string): Promise<string> {
  const bytes = Buffer.from(text, 'utf8');
  const value =
    algorithm === 'rsa-sha256'
      ? await signed('sha256', bytes, key)
      : await signed(null, createHash('sha256').update(bytes).digest(), key);
  return value.toString('base64');
}
