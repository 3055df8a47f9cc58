import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { DEFAULT_CONTENT_TYPE, MAX_FILE_BYTES, MAX_FILE_MB } from '../../engine/file/file-fields.js';
import { channelSizeProblem } from '../../engine/file/file-sizes.js';
import type { SizedChannel } from '../../engine/file/file-sizes.js';
import { FileStore } from '../../engine/file/file-store.js';
import { KEEP_FILE, STORE_SMALL_FILE } from '../../engine/file/file.sql.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { sqlArray } from '../../platform/database/transaction.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { invalid } from '../../platform/http/problem.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { isChosen } from '../../rules/ruleset/decide.js';
import { requireFileSpace } from '../upload/file-quota.js';
import { ADD_ATTACHMENTS, CHANNELS_OF_EVENT, FIND_UPLOADS, KEEP_FILES } from './attachment.sql.js';
import type { AttachmentDto } from './attachment.dto.js';

interface UploadedFile {
  id: string;
  fileId: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
}

/** A file of a new occurrence: stored already, about to be stored, or to be fetched. */
interface NewFile {
  stored: StoredAttachment;
  fileId?: string;
  content?: Buffer;
}

/** The files of a new occurrence. */
export interface Attached {
  /** As its options say. */
  attachments: StoredAttachment[];
  /** Stores them, in the transaction of the occurrence. */
  write(tx: Transaction, occurrence: string): Promise<void>;
}

const EXPIRED = fieldError('not_found', 'is not an upload, or has expired');

type Trigger = Pick<Scope, 'organizationId' | 'eventId' | 'quotas'>;

/** Attaches files to new occurrences. */
@Injectable()
export class AttachFiles {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** Looks up the files and checks their size. Stores nothing. */
  async check(scope: Trigger, given: AttachmentDto[], channels: string[] | undefined): Promise<Attached> {
    const uploads = await this.uploadsOf(scope, given);
    const errors: FieldErrors = {};
    const files = given.map((file, i): NewFile => {
      const upload = file.upload === undefined ? undefined : uploads.get(file.upload.toLowerCase());
      if (file.upload !== undefined && !upload) errors[`options.attachments[${i}].upload`] = [EXPIRED];
      return newFile(file, upload);
    });
    if (hasErrors(errors)) throw invalid(errors);
    const problem = await this.sizeProblem(scope, files, channels);
    if (problem) throw invalid({ 'options.attachments': [problem] });
    await this.requireSpace(scope, files);
    return {
      attachments: files.map(({ stored }) => stored),
      write: (tx, occurrence) => write(tx, scope.organizationId, occurrence, files),
    };
  }

  /** Bytes that are stored already take no more space. */
  private async requireSpace(scope: Trigger, files: NewFile[]): Promise<void> {
    const sizes = new Map(files.flatMap(({ stored, content }) => (content ? [[stored.sha256!, content.length]] : [])));
    if (sizes.size === 0) return;
    for (const sha256 of await this.files.known(scope.organizationId, [...sizes.keys()])) sizes.delete(sha256);
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    if (bytes > 0) await requireFileSpace(this.files, scope, bytes);
  }

  private async uploadsOf({ organizationId }: Trigger, given: AttachmentDto[]): Promise<Map<string, UploadedFile>> {
    const ids = given.flatMap(({ upload }) => upload ?? []);
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.query<UploadedFile>('find-uploads', FIND_UPLOADS, [organizationId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The size of a file at a URL is known only when it is fetched. */
  private async sizeProblem(
    { eventId }: Trigger,
    files: NewFile[],
    chosen: string[] | undefined,
  ): Promise<FieldError | null> {
    const sizes = files.map(({ stored }) => stored.size ?? 0);
    if (sizes.reduce((sum, size) => sum + size, 0) > MAX_FILE_BYTES)
      return fieldError('too_large', `must have at most ${MAX_FILE_MB} MB together`);
    const { rows } = await this.database.query<SizedChannel>('channels-of-event', CHANNELS_OF_EVENT, [eventId]);
    const channels = rows.filter((channel) => isChosen(channel, chosen));
    const sized = files.map(({ stored }) => stored);
    const problem = channelSizeProblem(sized, channels, this.dispatchers);
    return problem === null ? null : fieldError('too_large', problem);
  }
}

function newFile({ filename, content_type, content, url, sha256, cid }: AttachmentDto, upload?: UploadedFile): NewFile {
  const inline = cid === undefined ? {} : { cid };
  if (upload) {
    const named = { filename: filename ?? upload.filename, content_type: content_type ?? upload.contentType };
    return { stored: { ...named, size: upload.size, sha256: upload.sha256, ...inline }, fileId: upload.fileId };
  }
  if (url !== undefined) {
    const named = { filename: filename ?? nameIn(url), content_type: content_type ?? DEFAULT_CONTENT_TYPE };
    const pinned = sha256 === undefined ? {} : { sha256: sha256.toLowerCase() };
    return { stored: { ...named, ...pinned, ...inline, url, ...(content_type === undefined && { guess: true }) } };
  }
  const bytes = Buffer.from(content ?? '', 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const named = { filename: filename!, content_type: content_type ?? DEFAULT_CONTENT_TYPE };
  return { stored: { ...named, size: bytes.length, sha256: hash, ...inline }, content: bytes };
}

/** The last part of the path of a URL, as far as it is the name of a file. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = last.replace(/%[0-9a-f]{2}/gi, '_').slice(0, 100);
  return /^\.*$/.test(name) ? 'file' : name;
}

async function write(tx: Transaction, organizationId: number, occurrence: string, files: NewFile[]): Promise<void> {
  await keepUploads(tx, files);
  const ids: (string | null)[] = [];
  for (const { stored, fileId, content } of files)
    ids.push(fileId ?? (content ? await storeSmall(tx, organizationId, stored.sha256!, content) : null));
  await tx.$executeRawUnsafe(ADD_ATTACHMENTS, occurrence, organizationId, sqlArray(ids));
}

/** Keeps the files of uploads from the purge. It may have deleted them since they were looked up. */
async function keepUploads(tx: Transaction, files: NewFile[]): Promise<void> {
  const wanted = files.flatMap(({ fileId }) => fileId ?? []);
  if (wanted.length === 0) return;
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(KEEP_FILES, sqlArray(wanted));
  const kept = new Set(rows.map(({ id }) => id));
  const errors: FieldErrors = {};
  for (const [i, { fileId }] of files.entries())
    if (fileId !== undefined && !kept.has(fileId)) errors[`options.attachments[${i}].upload`] = [EXPIRED];
  if (hasErrors(errors)) throw invalid(errors);
}

async function storeSmall(tx: Transaction, organizationId: number, sha256: string, bytes: Buffer): Promise<string> {
  const hash = Buffer.from(sha256, 'hex');
  for (let tries = 1; tries <= 3; tries++) {
    await tx.$executeRawUnsafe(STORE_SMALL_FILE, randomUUID(), organizationId, hash, bytes);
    const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(KEEP_FILE, organizationId, hash);
    if (row) return row.id;
  }
  throw new Error('the file was deleted while it was stored');
}
