import { Module } from '@nestjs/common';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { InboxFeed } from './inbox-feed.js';
import { InboxCategoryController } from './inbox-category.controller.js';
import { InboxController } from './inbox.controller.js';
import { InboxService } from './inbox.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [InboxCategoryController, InboxController],
  providers: [InboxService, InboxFeed],
})
export class InboxModule {}
