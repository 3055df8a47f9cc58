import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, oneOf } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AddedRecipientsDto, MemberDto, UpdateMemberDto } from './member.dto.js';
import { MemberService } from './member.service.js';
import { MAX_RECIPIENTS } from './recipients.js';

const DELETED_MEANWHILE = 'Another request has just deleted a user, an address or the channel. Try again.';

interface MemberFilter {
  chosen: '0' | '1' | null;
}

@ApiTags('Distribution lists')
@Controller('api/o/:org/p/:prj/d/:pk')
export class MemberController {
  constructor(private readonly members: MemberService) {}

  /**
   * Add recipients to the list: all of them, or none if one is not valid. Existing members are kept as they are. An e-mail without a user in
   * the organization gets one.
   */
  @Post('add')
  @HttpCode(200)
  // Enough for 10,000 quoted addresses of the maximum length.
  @BodyLimitKb(2560)
  @RequirePermission(Permission.DistributionListWrite)
  @Spends('storage')
  @ApiBody({
    required: true,
    schema: {
      type: 'array',
      maxItems: MAX_RECIPIENTS,
      items: { type: 'string', format: 'email' },
      example: ['ann@example.com', 'bob@example.com'],
    },
  })
  @ApiConflictResponse({ description: DELETED_MEANWHILE })
  add(@CurrentScope() scope: Scope, @Body() body: unknown): Promise<AddedRecipientsDto> {
    return this.members.add(scope, body);
  }

  /** List the members of the list. */
  @Get('m')
  @RequirePermission(Permission.DistributionListRead)
  @AnswersList(MemberDto, 'The members, ordered by id.', {
    chosen: {
      description:
        '`1`: only members whose channel was chosen. `0`: only the others; their `channel` is the kind of their address.',
      schema: { type: 'string', enum: ['0', '1'] },
    },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentPage() page: Page,
    @CurrentFilter({ chosen: oneOf(['0', '1']) }) { chosen }: MemberFilter,
  ) {
    return this.members.list(scope, page, chosen);
  }

  /** Update a member: whether it receives messages, and over which channel. */
  @Patch('m/:member')
  @RequirePermission(Permission.DistributionListWrite, 'project')
  @ApiConflictResponse({ description: DELETED_MEANWHILE })
  update(@CurrentScope() scope: Scope, @Body() body: UpdateMemberDto): Promise<MemberDto> {
    return this.members.update(scope, body);
  }

  /** Remove a member from the list. The user is kept. */
  @Delete('m/:member')
  @HttpCode(204)
  @RequirePermission(Permission.DistributionListWrite, 'project')
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.members.remove(scope);
  }
}
