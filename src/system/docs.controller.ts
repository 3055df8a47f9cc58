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
    return publishedContract.yaml;
  }

  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Public()
  json(): string {
    return publishedContract.json;
  }
}
