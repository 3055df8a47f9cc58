import { Module } from '@nestjs/common';
import { DraftController } from './draft.controller.js';
import { DraftService } from './draft.service.js';

@Module({ controllers: [DraftController], providers: [DraftService] })
export class DraftModule {}
