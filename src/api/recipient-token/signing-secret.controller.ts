import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CreateSigningSecretDto, CreatedSigningSecretDto, SigningSecretDto } from './signing-secret.dto.js';
import { SigningSecretService } from './signing-secret.service.js';

@ApiTags('Recipient tokens')
@Controller('api/o/:org/signing-secrets')
export class SigningSecretController {
  constructor(private readonly secrets: SigningSecretService) {}

  /** List the secrets that sign recipient tokens, without their texts. */
  @Get()
  @RequirePermission(Permission.TokenCreate, 'organization')
  @AnswersList(SigningSecretDto, 'The secrets, oldest first, including revoked ones.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.secrets.list(scope, page);
  }

  /**
   * Create a signing secret.
   *
   * @remarks Your own server signs recipient tokens with it, without a request. The text of the secret is shown only once.
   */
  @Post()
  @RequirePermission(Permission.TokenCreate, 'organization', 'shared')
  @ApiConflictResponse({ description: 'The organization has too many signing secrets; the answer says how many.' })
  create(@CurrentScope() scope: Scope, @Body() body: CreateSigningSecretDto): Promise<CreatedSigningSecretDto> {
    return this.secrets.create(scope, body);
  }

  /**
   * Revoke a signing secret. All tokens that it has signed become invalid.
   *
   * @remarks The process that handles this request refuses the tokens at once; the other processes do so within five seconds. Their streams
   * end within seconds. Revoking the secret again changes nothing. The service replaces a secret of its own with the next token that it creates.
   */
  @Post(':secret/revoke')
  @HttpCode(200)
  @RequirePermission(Permission.TokenCreate, 'organization', 'shared')
  revoke(@CurrentScope() scope: Scope): Promise<SigningSecretDto> {
    return this.secrets.revoke(scope);
  }
}
