import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { NOTIFICATION_LIMIT_KB } from '../notification/notification.dto.js';
import { PreviewAudienceDto, PreviewedAudienceDto } from './audience.dto.js';
import { AudienceService } from './audience.service.js';

@ApiTags('Users')
@Controller('api/o/:org/audience')
export class AudienceController {
  constructor(private readonly audiences: AudienceService) {}

  /**
   * Count the users of an audience, or those of other filters, and show some of them. Nothing is stored.
   *
   * @remarks It counts for three seconds at most. If there are more users, `complete` is false, and `users` is the number among the first `checked`.
   * Memberships (unless `list` is given), addresses, locks and preferences do not count: a simulation tells what would be sent.
   */
  @Post('preview')
  @HttpCode(200)
  @BodyLimitKb(NOTIFICATION_LIMIT_KB)
  @RequirePermission(Permission.UserRead)
  preview(
    @CurrentScope() scope: Scope,
    @Body() body: PreviewAudienceDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PreviewedAudienceDto> {
    return this.audiences.preview(scope, body, response);
  }
}
