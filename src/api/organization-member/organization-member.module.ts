import { Module } from '@nestjs/common';
import { MemberLinks } from './link/member-links.js';
import { SessionLinkController } from './link/session-link.controller.js';
import { SystemMailer } from './link/system-mailer.js';
import { OrganizationMemberController } from './organization-member.controller.js';
import { OrganizationMemberService } from './organization-member.service.js';

@Module({
  controllers: [OrganizationMemberController, SessionLinkController],
  providers: [OrganizationMemberService, MemberLinks, SystemMailer],
})
export class OrganizationMemberModule {}
