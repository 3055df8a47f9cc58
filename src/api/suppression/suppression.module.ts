import { Module } from '@nestjs/common';
import { SuppressionController } from './suppression.controller.js';
import { SuppressionService } from './suppression.service.js';

@Module({
  controllers: [SuppressionController],
  providers: [SuppressionService],
})
export class SuppressionModule {}
