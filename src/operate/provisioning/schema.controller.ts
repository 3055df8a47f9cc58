import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/require-permission.decorator.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { FixedDocument } from '../../platform/http/fixed-document.js';
import { withChannelTypes } from './channel-types-schema.js';
import { provisioningSchema } from './file.js';

/** The JSON Schema of the provisioning file, with the channel types of this service, for completion in editors. */
@ApiExcludeController()
@Controller('api')
export class SchemaController {
  private readonly document: FixedDocument;

  constructor(@Inject(DISPATCHERS) dispatchers: ReadonlyMap<string, Dispatcher>) {
    let text: string | undefined;
    this.document = new FixedDocument(
      'application/json; charset=utf-8',
      () => (text ??= JSON.stringify(withChannelTypes(provisioningSchema, dispatchers.values()))),
    );
  }

  @Get('provisioning.schema.json')
  @Public()
  schema(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.document.send(request, response);
  }
}
