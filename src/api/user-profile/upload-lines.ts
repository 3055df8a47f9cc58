import { emailKey } from '../../platform/field/email.js';
import { addTo, fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { parseJson } from '../../platform/http/body/json-body.js';
import { Problem } from '../../platform/http/problem.js';
import type { UserProfile } from './read-profile.js';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Written in one transaction: long enough for a statement to pay, short enough for others not to wait for it. */
const BATCH_LINES = 200;
const BATCH_BYTES = 512 * 1024;

/** A line of an upload. */
interface UploadLine {
  /** From 1. */
  line: number;
  bytes: Buffer;
}

/** A user that a line describes. */
export interface UploadedProfile extends UserProfile {
  line: number;
}

/** The lines that are not blank. */
export function linesOf(body: Buffer): UploadLine[] {
  const lines: UploadLine[] = [];
  let start = body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  for (let line = 1; start < body.length; line++) {
    const found = body.indexOf(LINE_FEED, start);
    const end = found === -1 ? body.length : found;
    const bytes = body.subarray(start, end);
    if (!isBlank(bytes)) lines.push({ line, bytes });
    start = end + 1;
  }
  return lines;
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/**
 * Reads lines and gathers the users to write together. A user who comes twice is in two batches: the later line wins. `read` adds the errors of
 * a line; `refuse` gets them.
 */
export function* batchesOf(
  lines: readonly UploadLine[],
  maxLineBytes: number,
  read: (value: unknown, addError: AddError) => UserProfile,
  refuse: (line: number, errors: FieldErrors) => void,
): Generator<UploadedProfile[]> {
  let batch: UploadedProfile[] = [];
  let keys = new Set<string>();
  let [count, bytes] = [0, 0];
  for (const each of lines) {
    const profile = readLine(each, maxLineBytes, read);
    if (count === BATCH_LINES || bytes + each.bytes.length > BATCH_BYTES || isIn(keys, profile)) {
      yield batch;
      [batch, keys, count, bytes] = [[], new Set(), 0, 0];
    }
    [count, bytes] = [count + 1, bytes + each.bytes.length];
    if ('errors' in profile) refuse(each.line, profile.errors);
    else {
      keys.add(emailKey(profile.user.email));
      batch.push({ ...profile, line: each.line });
    }
  }
  yield batch;
}

const isIn = (keys: ReadonlySet<string>, profile: UserProfile | { errors: FieldErrors }) =>
  'user' in profile && keys.has(emailKey(profile.user.email));

function readLine(
  { bytes }: UploadLine,
  maxBytes: number,
  read: (value: unknown, addError: AddError) => UserProfile,
): UserProfile | { errors: FieldErrors } {
  if (bytes.length > maxBytes)
    return { errors: { body: [fieldError('too_large', `must be at most ${maxBytes / 1024} KB long`)] } };
  try {
    const errors: FieldErrors = {};
    const profile = read(parseJson(bytes), addTo(errors));
    return hasErrors(errors) ? { errors } : profile;
  } catch (error) {
    if (error instanceof Problem && error.errors) return { errors: error.errors };
    throw error;
  }
}
