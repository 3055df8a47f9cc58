import { Module } from '@nestjs/common';
import { DistributionListController } from './distribution-list.controller.js';
import { DistributionListService } from './distribution-list.service.js';
import { MemberController } from './member.controller.js';
import { MemberService } from './member.service.js';

@Module({
  controllers: [DistributionListController, MemberController],
  providers: [DistributionListService, MemberService],
})
export class DistributionListModule {}
