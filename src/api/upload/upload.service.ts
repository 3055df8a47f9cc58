import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import type { Scope } from '../../auth/scope.js';
import {
  DEFAULT_CONTENT_TYPE,
  MAX_FILE_BYTES,
  MAX_FILE_MB,
  contentTypeProblem,
  filenameProblem,
} from '../../engine/file/file-fields.js';
import { FileStore, FileTooLarge } from '../../engine/file/file-store.js';
import type { WrittenFile } from '../../engine/file/file-store.js';
import { ADD_UPLOAD } from '../../engine/file/file.sql.js';
import { Database } from '../../platform/database/database.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { isUuid } from '../../platform/field/uuid-v7.js';
import { hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { Listing } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { clientLeft, invalid, notFound, payloadTooLarge, unsupportedMediaType } from '../../platform/http/problem.js';
import { FileShares } from './file-shares.js';
import { requireFileSpace } from './file-quota.js';
import { UploadDto } from './upload.dto.js';

const DAYS = 7;

const select = {
  ...{ id: true, filename: true, contentType: true, createdAt: true, expiresAt: true },
  file: { select: { size: true, sha256: true } },
} satisfies Prisma.UploadSelect;

interface Reference {
  fileId: string;
  createdAt: Date;
  expiresAt: Date;
}

@Injectable()
export class UploadService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly files: FileStore,
    private readonly shares: FileShares,
    private readonly stored: StoredBytes,
  ) {}

  /** Stores the body of the request. It is read as fast as the database takes it. */
  create(scope: Scope, request: Request, filename: unknown): Promise<UploadDto> {
    const { organizationId } = scope;
    const named = {
      filename: typeof filename === 'string' ? filename : '',
      contentType: request.headers['content-type'] ?? DEFAULT_CONTENT_TYPE,
    };
    refuseNames(named);
    if (request.headers['content-encoding'] !== undefined) throw unsupportedMediaType('unencoded bytes', 'identity');
    return this.shares.run(organizationId, async () => {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > MAX_FILE_BYTES) throw payloadTooLarge(MAX_FILE_MB * 1024, 'file');
      await requireFileSpace(this.files, scope, announced);
      return this.store(organizationId, request, named);
    });
  }

  private async store(
    organizationId: number,
    request: Request,
    { filename, contentType }: { filename: string; contentType: string },
  ): Promise<UploadDto> {
    const id = randomUUID();
    const refer = async ({ sha256 }: WrittenFile) => {
      const values = [id, organizationId, sha256, filename, contentType, DAYS];
      return (await this.database.query<Reference>('add-upload', ADD_UPLOAD, values)).rows[0] ?? null;
    };
    try {
      const { size, sha256, isNew, reference } = await this.files.write(
        organizationId,
        bytesOf(request),
        MAX_FILE_BYTES,
        refer,
      );
      if (isNew) this.stored.add(organizationId, size);
      return UploadDto.from({ id, filename, contentType, ...reference, file: { size, sha256 } });
    } catch (error) {
      if (error instanceof FileTooLarge) throw payloadTooLarge(MAX_FILE_MB * 1024, 'file');
      throw error;
    }
  }

  list({ organizationId }: Scope, page: Page) {
    if (page.after !== null && !isUuid(page.after)) throw badCursor();
    const read = (after: string | null, take: number) =>
      this.prisma.upload.findMany({
        where: { organizationId, expiresAt: { gt: new Date() }, ...(after === null ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
        select,
      });
    return new Listing(page, read, UploadDto.from, ({ id }) => id);
  }

  async get({ organizationId, path: { upload = '' } }: Scope): Promise<UploadDto> {
    const where = { id: upload, organizationId, expiresAt: { gt: new Date() } };
    const row = isUuid(upload) ? await this.prisma.upload.findFirst({ where, select }) : null;
    if (!row) throw notFound('upload');
    return UploadDto.from(row);
  }

  async remove({ organizationId, path: { upload = '' } }: Scope): Promise<void> {
    const where = { id: upload, organizationId };
    const { count } = isUuid(upload) ? await this.prisma.upload.deleteMany({ where }) : { count: 0 };
    if (count === 0) throw notFound('upload');
  }
}

function refuseNames({ filename, contentType }: { filename: string; contentType: string }): void {
  const errors: FieldErrors = {};
  const [name, type] = [filenameProblem(filename), contentTypeProblem(contentType)];
  if (name) errors.filename = [name];
  if (type) errors['Content-Type'] = [type];
  if (hasErrors(errors)) throw invalid(errors);
}

/** The body of a request. The request stays open if reading ends early, so that it can be answered. */
async function* bytesOf(request: Request): AsyncGenerator<Buffer> {
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  } catch {
    throw clientLeft();
  }
  if (!request.complete) throw clientLeft();
}
