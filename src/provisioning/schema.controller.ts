import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/require-permission.decorator.js';
import { provisioningSchema } from './file.js';

/** The JSON Schema of the provisioning file, for completion in editors. */
@ApiExcludeController()
@Controller('api')
export class SchemaController {
  @Get('provisioning.schema.json')
  @Public()
  schema(): object {
    return provisioningSchema;
  }
}
