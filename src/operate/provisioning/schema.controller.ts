import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/require-permission.decorator.js';
import { FixedDocument } from '../../platform/http/fixed-document.js';
import { provisioningSchema } from './file.js';

const SCHEMA = new FixedDocument('application/json; charset=utf-8', () => JSON.stringify(provisioningSchema));

/** The JSON Schema of the provisioning file, for completion in editors. */
@ApiExcludeController()
@Controller('api')
export class SchemaController {
  @Get('provisioning.schema.json')
  @Public()
  schema(@Req() request: Request, @Res() response: Response): Promise<void> {
    return SCHEMA.send(request, response);
  }
}
