import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/require-permission.decorator.js';
import { publishedContract } from '../config/published-contract.js';

/** Serves the published contract to programs. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  @Get('openapi.yaml')
  @Header('Content-Type', 'application/yaml; charset=utf-8')
  @Public()
  yaml(): string {
    return publishedContract.text;
  }

  @Get('openapi.json')
  @Public()
  json(): object {
    return publishedContract.document;
  }
}
