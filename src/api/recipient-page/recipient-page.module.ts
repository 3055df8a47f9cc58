import { Module } from '@nestjs/common';
import { RecipientController } from './recipient-page.controller.js';
import { RecipientService } from './recipient.service.js';

@Module({ controllers: [RecipientController], providers: [RecipientService] })
export class RecipientPageModule {}
