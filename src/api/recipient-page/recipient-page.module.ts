import { Module } from '@nestjs/common';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { AcknowledgePageController } from './acknowledge/acknowledge-page.controller.js';
import { AcknowledgePageService } from './acknowledge/acknowledge-page.service.js';
import { LinkVisits } from './link-visits.js';
import { MutePageController } from './mute/mute-page.controller.js';
import { MutePageService } from './mute/mute-page.service.js';
import { RecipientController } from './recipient-page.controller.js';
import { RecipientService } from './recipient.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [RecipientController, AcknowledgePageController, MutePageController],
  providers: [RecipientService, AcknowledgePageService, MutePageService, LinkVisits],
})
export class RecipientPageModule {}
