import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { PreviewDto, PreviewedDto } from './preview.dto.js';
import { PreviewService } from './preview.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/preview')
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  /**
   * Preview a draft of a template: the message as it would be sent for this event. Nothing is stored or sent.
   *
   * @remarks A draft that is invalid, or that fails with this context, is refused with a 400. The answer names the part
   * and, if known, the line.
   */
  @Post()
  @HttpCode(200)
  @RequirePermission(Permission.NotificationRead, undefined, 'own')
  preview(
    @CurrentScope() scope: Scope,
    @Body() body: PreviewDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PreviewedDto> {
    return this.previews.preview(scope, body, response);
  }
}
