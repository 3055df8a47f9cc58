import { Body, Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { PutStatusWebhookDto, StatusWebhookDto } from './status-webhook.dto.js';
import { StatusWebhookService } from './status-webhook.service.js';

@ApiTags('Applications')
@Controller('api/o/:org/p/:prj/a/:app/status-webhook')
export class StatusWebhookController {
  constructor(private readonly webhooks: StatusWebhookService) {}

  /** Retrieve the status webhook: the URL that receives the outcomes of the application's deliveries. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<StatusWebhookDto> {
    return this.webhooks.get(scope);
  }

  /** Set the status webhook. It is replaced as a whole. */
  @Put()
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite)
  put(@CurrentScope() scope: Scope, @Body() body: PutStatusWebhookDto): Promise<StatusWebhookDto> {
    return this.webhooks.put(scope, body);
  }

  /** Delete the status webhook. The application receives no more outcomes. */
  @Delete()
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.webhooks.remove(scope);
  }
}
