import { Module } from '@nestjs/common';
import { FileShares } from './file-shares.js';
import { UploadController } from './upload.controller.js';
import { UploadService } from './upload.service.js';

@Module({ controllers: [UploadController], providers: [UploadService, FileShares] })
export class UploadModule {}
