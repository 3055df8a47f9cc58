import { Controller, Get, Res } from '@nestjs/common';
import type { StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../../auth/permission.js';
import { RequirePermission } from '../../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../../auth/scope.js';
import type { Scope } from '../../../auth/scope.js';
import { UserExportService } from './user-export.service.js';

@ApiTags('Users')
@Controller('api/o/:org/u/:username/export')
export class UserExportController {
  constructor(private readonly exports: UserExportService) {}

  /**
   * Export everything that is stored about a user.
   *
   * @remarks The answer is NDJSON: one JSON object a line. The `kind` of a line is `user`, `address`, `device`, `membership`, `preference`, `muted_thread`, `suppression`, `delivery`
   * (with its attempts and its message), `inbox_message`, `acknowledgement` or `audit_entry`. The contexts of occurrences are not part of it: they belong to the system that
   * triggered them, and may hold data of other users.
   */
  @Get()
  @RequirePermission(Permission.UserExport, 'organization')
  @ApiOkResponse({
    description: 'The lines.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  get(@CurrentScope() scope: Scope, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    return this.exports.export(scope, response);
  }
}
