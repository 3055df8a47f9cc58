import { Body, Controller, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CreateRecipientTokenDto, RecipientTokenDto } from './recipient-token.dto.js';
import { RecipientTokenService } from './recipient-token.service.js';

@ApiTags('Recipient tokens')
@Controller('api/o/:org/u/:username/token')
export class RecipientTokenController {
  constructor(private readonly tokens: RecipientTokenService) {}

  /**
   * Create a recipient token for the user.
   *
   * @remarks It reaches the operations that name a recipient scope, for this user alone, and may go into a browser; a key must not. It stays
   * valid until it expires, the user is locked or deleted, or its signing secret is revoked.
   */
  @Post()
  @RequirePermission(Permission.TokenCreate, 'organization', 'shared')
  @ApiConflictResponse({ description: 'The user is locked.' })
  create(@CurrentScope() scope: Scope, @Body() body: CreateRecipientTokenDto): Promise<RecipientTokenDto> {
    return this.tokens.create(scope, body);
  }
}
