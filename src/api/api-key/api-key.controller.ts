import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeyService } from './api-key.service.js';

@ApiTags('API keys')
@Controller('api/o/:org/k')
export class ApiKeyController {
  constructor(private readonly keys: ApiKeyService) {}

  /** List the API keys of the organization that are within the reach of your own key. */
  @Get()
  @RequirePermission(Permission.ApiKeyRead)
  @AnswersList(ApiKeyDto, 'The keys, oldest first, including revoked ones.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.keys.list(scope, page);
  }

  /**
   * Create an API key.
   *
   * @remarks The reach, permissions and lifetime of the new key cannot exceed those of your own key. If your own key has a rate limit,
   * the new key shares it: the requests of both count together. The text of the new key is shown only once.
   */
  @Post()
  @RequirePermission(Permission.ApiKeyWrite)
  create(@CurrentScope() scope: Scope, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.keys.create(scope, body);
  }

  /**
   * Revoke an API key.
   *
   * @remarks Your own key must have every permission of the key that it revokes. The process that handles this request refuses the key
   * at once; the other processes do so within five seconds, and end its streams. Revoking the key again changes
   * nothing. Keys that were created with the revoked key stay valid: list the keys, and revoke those too if necessary.
   */
  @Post(':key/revoke')
  @HttpCode(200)
  @RequirePermission(Permission.ApiKeyWrite)
  revoke(@CurrentScope() scope: Scope): Promise<ApiKeyDto> {
    return this.keys.revoke(scope);
  }
}
