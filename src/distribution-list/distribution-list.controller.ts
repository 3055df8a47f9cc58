import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { CurrentBaseUrl } from '../http/base-url.js';
import { BodyLimitKb } from '../http/body/json-body.guard.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { CreateDistributionListDto, DistributionListDto } from './distribution-list.dto.js';
import { DistributionListService } from './distribution-list.service.js';
import { AddedRecipientsDto, MemberDto, UpdateMemberDto } from './member.dto.js';
import { MemberService } from './member.service.js';
import { MAX_RECIPIENTS } from './recipients.js';

@ApiTags('Distribution lists')
@Controller('api/o/:org/p/:prj/d')
export class DistributionListController {
  constructor(
    private readonly lists: DistributionListService,
    private readonly members: MemberService,
  ) {}

  /** List the project's distribution lists. */
  @Get()
  @RequirePermission(Permission.DistributionListRead)
  @AnswersList(DistributionListDto, 'The distribution lists, ordered by id.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.lists.list(scope, page, baseUrl);
  }

  /** Create a distribution list. */
  @Post()
  @RequirePermission(Permission.DistributionListWrite)
  create(
    @CurrentScope() scope: Scope,
    @Body() body: CreateDistributionListDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<DistributionListDto> {
    return this.lists.create(scope, body.name, baseUrl);
  }

  /** Retrieve a distribution list. */
  @Get(':pk')
  @RequirePermission(Permission.DistributionListRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<DistributionListDto> {
    return this.lists.get(scope, baseUrl);
  }

  /** Rename a distribution list. */
  @Patch(':pk')
  @RequirePermission(Permission.DistributionListWrite, 'project')
  rename(
    @CurrentScope() scope: Scope,
    @Body() body: CreateDistributionListDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<DistributionListDto> {
    return this.lists.rename(scope, body.name, baseUrl);
  }

  /** Delete a distribution list. Its members stay users. */
  @Delete(':pk')
  @HttpCode(204)
  @RequirePermission(Permission.DistributionListWrite, 'project')
  @ApiConflictResponse({ description: 'A notification uses it; the answer names which.' })
  delete(@CurrentScope() scope: Scope): Promise<void> {
    return this.lists.delete(scope);
  }

  /**
   * Add recipients to the list, all or none of them. Repeats are harmless; an e-mail that is no user of the organization yet
   * becomes one.
   */
  @Post(':pk/add')
  @HttpCode(200)
  // 10,000 addresses of the greatest length, quoted.
  @BodyLimitKb(2560)
  @RequirePermission(Permission.DistributionListWrite)
  @ApiBody({
    required: true,
    schema: {
      type: 'array',
      maxItems: MAX_RECIPIENTS,
      items: { type: 'string', format: 'email' },
      example: ['ann@acme.test', 'bob@acme.test'],
    },
  })
  add(@CurrentScope() scope: Scope, @Body() body: unknown): Promise<AddedRecipientsDto> {
    return this.members.add(scope, body);
  }

  /** List the members of the list. */
  @Get(':pk/m')
  @RequirePermission(Permission.DistributionListRead)
  @AnswersList(MemberDto, 'The members, ordered by id.')
  listMembers(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.members.list(scope, page);
  }

  /** Update a member: whether it is sent anything, and over which channel. */
  @Patch(':pk/m/:member')
  @RequirePermission(Permission.DistributionListWrite, 'project')
  updateMember(@CurrentScope() scope: Scope, @Body() body: UpdateMemberDto): Promise<MemberDto> {
    return this.members.update(scope, body);
  }

  /** Remove a member from the list. The user stays. */
  @Delete(':pk/m/:member')
  @HttpCode(204)
  @RequirePermission(Permission.DistributionListWrite, 'project')
  removeMember(@CurrentScope() scope: Scope): Promise<void> {
    return this.members.remove(scope);
  }
}
