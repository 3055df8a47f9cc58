import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeyService } from './api-key.service.js';

@ApiTags('API keys')
@Controller('api/o/:org/k')
export class ApiKeyController {
  constructor(private readonly keys: ApiKeyService) {}

  /** List the API keys of the organization, as far as your own key reaches. */
  @Get()
  @RequirePermission(Permission.ApiKeyRead)
  @AnswersList(ApiKeyDto, 'The keys, oldest first, revoked ones too.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.keys.list(scope, page);
  }

  /**
   * Create an API key.
   *
   * @remarks It reaches no more, may do no more, asks no faster and lives no longer than the key that creates it. Its text is shown
   * this once.
   */
  @Post()
  @RequirePermission(Permission.ApiKeyWrite)
  create(@CurrentScope() scope: Scope, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.keys.create(scope, body);
  }

  /**
   * Revoke an API key.
   *
   * @remarks Every process refuses it within five seconds, this one at once. Revoking it again changes nothing.
   * Keys that it has created stay as they are: list them, and revoke those too if you must.
   */
  @Post(':key/revoke')
  @HttpCode(200)
  @RequirePermission(Permission.ApiKeyWrite)
  revoke(@CurrentScope() scope: Scope): Promise<ApiKeyDto> {
    return this.keys.revoke(scope);
  }
}
