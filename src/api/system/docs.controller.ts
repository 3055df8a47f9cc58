import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/require-permission.decorator.js';
import { publishedContract } from '../../platform/config/published-contract.js';
import { FixedDocument } from '../../platform/http/fixed-document.js';

const YAML = new FixedDocument('application/yaml; charset=utf-8', () => publishedContract.yaml);
const JSON = new FixedDocument('application/json; charset=utf-8', () => publishedContract.json);

/** Serves the published contract to programs. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  @Get('openapi.yaml')
  @Public()
  yaml(@Req() request: Request, @Res() response: Response): Promise<void> {
    return YAML.send(request, response);
  }

  @Get('openapi.json')
  @Public()
  json(@Req() request: Request, @Res() response: Response): Promise<void> {
    return JSON.send(request, response);
  }
}
