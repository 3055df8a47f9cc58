import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { TestedChannelDto } from '../channel/channel.dto.js';
import { PreviewDto, PreviewedDto } from './preview.dto.js';
import { PreviewService } from './preview.service.js';
import { TemplateTestService } from './template-test.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/preview')
export class PreviewController {
  constructor(
    private readonly previews: PreviewService,
    private readonly tests: TemplateTestService,
  ) {}

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

  /**
   * Send a draft of a template to one user, and return the response of the provider.
   *
   * @remarks The message is the one that a preview of the same body shows, with its layout, translation, headers and the files of `occurrence`. Its subject begins
   * with `[Test]`. The notification need not exist yet. Conditions do not count either: a simulation says whether they are true. `channel` and `user` are required. Preferences, limits and quiet hours do not count, suppressions and switches do. This also requires the permissions `event:trigger` and
   * `user:read`.
   */
  @Post('test')
  @HttpCode(200)
  @Spends('trigger')
  @RequirePermission(Permission.NotificationWrite, undefined, 'own')
  @ApiConflictResponse({
    description:
      'The channel, project, application or event is switched off, the secrets of the channel can no longer be decrypted, or this service has no dispatcher for its type.',
  })
  test(
    @CurrentScope() scope: Scope,
    @Body() body: PreviewDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TestedChannelDto> {
    return this.tests.test(scope, body, response);
  }
}
