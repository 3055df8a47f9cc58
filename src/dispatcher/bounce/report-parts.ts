/** The fields of a report or of a mail's head, by name in lower case. */
export type Fields = Readonly<Record<string, string>>;

/** A mail that consists of a report and what belongs to it (RFC 6522). */
interface ReportParts {
  head: Fields;
  /** The text of the first part with such a type; empty: there is none. */
  part: (type: RegExp) => string;
}

const MAX_HEAD = 32 * 1024;
/** A report needs a few KB. */
const MAX_PART = 64 * 1024;
const MAX_PART_HEAD = 4 * 1024;
const MAX_VALUE = 4 * 1024;
/** A report has three parts: one for people, one for programs, and the mail. */
const MAX_PARTS = 20;

/**
 * Cuts a mail into its parts; null: it is not a report. Anybody may send one, so this is no parser of every mail: it reads each byte a fixed
 * number of times, whatever the mail contains, and leaves alone what no report needs.
 */
export function reportPartsOf(raw: Buffer): ReportParts | null {
  const start = raw.toString('latin1', 0, MAX_HEAD).replaceAll('\r\n', '\n');
  const headEnd = start.indexOf('\n\n');
  const head = fieldsIn(start.slice(0, Math.max(headEnd, 0)));
  const type = head['content-type'] ?? '';
  const boundary = /^multipart\/report\s*;/i.test(type) ? boundaryIn(type) : null;
  if (boundary === null) return null;
  const pieces = piecesOf(raw.toString('latin1').replaceAll('\r\n', '\n'), headEnd, boundary).map(partOf);
  return { head, part: (wanted) => textOf(pieces.find((piece) => wanted.test(piece.type))) };
}

/** The fields before the first empty line. Of a field that is given twice, the first counts. */
export function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>();
  const [head = ''] = text.trimStart().split(/\n[ \t]*\n/, 1);
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.slice(0, 81).indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (/^[!-9;-~]+$/.test(name) && !fields.has(name))
      fields.set(name, line.slice(colon + 1, colon + 1 + MAX_VALUE).trim());
  }
  return Object.fromEntries(fields);
}

function boundaryIn(type: string): string | null {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  return quoted ?? plain ?? null;
}

/** What is between the lines with the boundary. Each piece begins with the end of such a line. A mail that was cut off has no last one. */
function piecesOf(text: string, from: number, boundary: string): string[] {
  const pieces: string[] = [];
  let start = -1;
  for (let at = text.indexOf('\n--', from); at >= 0; at = text.indexOf('\n--', at + 1)) {
    if (!text.startsWith(boundary, at + 3)) continue;
    const after = at + 3 + boundary.length;
    const isLast = text.startsWith('--', after);
    const lineEnd = endOfLine(text, after);
    // A longer boundary, of a part that has parts itself.
    if (!isLast && text.slice(after, lineEnd).trim() !== '') continue;
    if (start >= 0) pieces.push(text.slice(start, at));
    start = lineEnd;
    if (isLast || pieces.length === MAX_PARTS) return pieces;
  }
  return start < 0 ? pieces : [...pieces, text.slice(start)];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

interface Piece {
  type: string;
  encoding: string;
  body: string;
}

function partOf(piece: string): Piece {
  const end = piece.indexOf('\n\n');
  const fields = end > 0 && end <= MAX_PART_HEAD ? fieldsIn(piece.slice(0, end)) : {};
  return {
    type: (fields['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase(),
    encoding: (fields['content-transfer-encoding'] ?? '').toLowerCase(),
    body: end < 0 ? '' : piece.slice(end + 2, end + 2 + MAX_PART),
  };
}

function textOf(piece: Piece | undefined): string {
  if (!piece) return '';
  return decoded(piece).toString().replace(/\r\n?/g, '\n');
}

function decoded({ encoding, body }: Piece): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const joined = body.replace(/=[ \t]*\n/g, '');
  const plain = joined.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}
