import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiConflictResponse, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { languageOf } from './link/member-links.js';
import { MemberLinkDto, OrganizationMemberDto, PutOrganizationMemberDto } from './organization-member.dto.js';
import { OrganizationMemberService } from './organization-member.service.js';

@ApiTags('Members')
@Controller('api/o/:org/members')
export class OrganizationMemberController {
  constructor(private readonly members: OrganizationMemberService) {}

  /** List the members of the organization that are within the reach of your own key. */
  @Get()
  @RequirePermission(Permission.MemberRead, 'project')
  @AnswersList(OrganizationMemberDto, 'The members, ordered by e-mail.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.members.list(scope, page);
  }

  /**
   * Add a member, or change the name, the role or the project of one.
   *
   * @remarks A new member gets a mail with a link that signs in, if the service has a mail server for it. Fields that are left out keep their values. Your own key must have every permission of the role, and of the role that the member
   * has now. A change counts for the member's sessions, too: in the process that handles this request at once, in the others within five
   * seconds.
   */
  @Put(':memberEmail')
  @RequirePermission(Permission.MemberWrite, 'project')
  @ApiConflictResponse({
    description: 'It is the last administrator, or has a role elsewhere; or the organization has too many members.',
  })
  put(
    @CurrentScope() scope: Scope,
    @Body() body: PutOrganizationMemberDto,
    @Req() request: Request,
  ): Promise<OrganizationMemberDto> {
    return this.members.put(scope, body, languageOf(request));
  }

  /**
   * Remove a member and end the member's sessions.
   *
   * @remarks Your own key must have every permission of the member. API keys that the member has created stay valid: list the keys, and revoke
   * those too if necessary.
   */
  @Delete(':memberEmail')
  @HttpCode(204)
  @RequirePermission(Permission.MemberWrite, 'project')
  @ApiConflictResponse({ description: 'It is the last administrator of the organization.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.members.remove(scope);
  }

  /**
   * Mail a link that signs a member in, or create one.
   *
   * @remarks Only if the service has no mail server for it, the answer has the link, which then works for 24 hours; in a mail it works for 15 minutes. It
   * works once, until another one is created. Whoever opens it acts as the member, so your own key must have every permission of the member.
   */
  @Post(':memberEmail/link')
  @RequirePermission(Permission.MemberWrite, 'project')
  @ApiServiceUnavailableResponse({
    description: 'The mail server did not take the mail. The problem detail has its answer.',
  })
  createLink(
    @CurrentScope() scope: Scope,
    @CurrentBaseUrl() base: string,
    @Req() request: Request,
  ): Promise<MemberLinkDto> {
    return this.members.createLink(scope, base, languageOf(request));
  }
}
