import { Module } from '@nestjs/common';
import { AttachService } from './attach.service.js';

@Module({ providers: [AttachService], exports: [AttachService] })
export class AttachmentModule {}
