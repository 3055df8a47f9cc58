import { Module } from '@nestjs/common';
import { PreferenceController } from './preference.controller.js';
import { PreferenceService } from './preference.service.js';

@Module({ controllers: [PreferenceController], providers: [PreferenceService] })
export class PreferenceModule {}
