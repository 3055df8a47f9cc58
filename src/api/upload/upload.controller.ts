import { Controller, Delete, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { MAX_FILENAME } from '../../engine/file/file-fields.js';
import { StreamedBody } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { UploadDto } from './upload.dto.js';
import { UploadService } from './upload.service.js';

@ApiTags('Uploads')
@Controller('api/o/:org/uploads')
export class UploadController {
  constructor(private readonly uploads: UploadService) {}

  /** List the uploads that have not expired. */
  @Get()
  @RequirePermission(Permission.UploadWrite, 'organization')
  @AnswersList(UploadDto, 'The uploads, ordered by id.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.uploads.list(scope, page);
  }

  /**
   * Upload a file of up to 50 MB, which triggers attach by its id (`options.attachments`).
   *
   * @remarks The body is the file itself, and `Content-Type` its type. Files with the same bytes are stored once. An upload expires after seven
   * days; occurrences that carry the file keep its bytes until they are deleted. An organization may send four files at the same time, and store as many
   * megabytes as its quota `files_mb` says.
   */
  @Post()
  @RequirePermission(Permission.UploadWrite, undefined, 'own')
  @Spends('storage')
  @StreamedBody()
  @AcceptsQuery({
    name: 'filename',
    description: 'The name of the file, without a path.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_FILENAME, default: 'file' },
  })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ required: false, schema: { type: 'string', format: 'binary' } })
  create(
    @CurrentScope() scope: Scope,
    @Req() request: Request,
    @Query('filename') filename: unknown = 'file',
  ): Promise<UploadDto> {
    return this.uploads.create(scope, request, filename);
  }

  /** Retrieve what is known about an upload. */
  @Get(':upload')
  @AnswersEtag()
  @RequirePermission(Permission.UploadWrite)
  get(@CurrentScope() scope: Scope): Promise<UploadDto> {
    return this.uploads.get(scope);
  }

  /** Delete an upload. Occurrences that carry the file keep it. */
  @Delete(':upload')
  @HttpCode(204)
  @RequirePermission(Permission.UploadWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.uploads.remove(scope);
  }
}
