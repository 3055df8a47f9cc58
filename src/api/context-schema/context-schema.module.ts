import { Module } from '@nestjs/common';
import { ContextSchemaController } from './context-schema.controller.js';
import { ContextSchemaService } from './context-schema.service.js';

@Module({
  controllers: [ContextSchemaController],
  providers: [ContextSchemaService],
  exports: [ContextSchemaService],
})
export class ContextSchemaModule {}
