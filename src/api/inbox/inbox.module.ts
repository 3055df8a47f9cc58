import { Module } from '@nestjs/common';
import { InboxFeed } from './inbox-feed.js';
import { InboxController } from './inbox.controller.js';
import { InboxService } from './inbox.service.js';

@Module({ controllers: [InboxController], providers: [InboxService, InboxFeed] })
export class InboxModule {}
