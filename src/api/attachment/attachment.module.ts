import { Module } from '@nestjs/common';
import { AttachFiles } from './attach-files.js';
import { LinkedFileController } from './linked-file.controller.js';

@Module({ controllers: [LinkedFileController], providers: [AttachFiles], exports: [AttachFiles] })
export class AttachmentModule {}
