import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/require-permission.decorator.js';
import { publishedContract } from '../config/published-contract.js';

/** Serves the published contract to programs. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  private readonly contract = publishedContract();

  @Get('openapi.yaml')
  @Header('Content-Type', 'application/yaml; charset=utf-8')
  @Public()
  yaml(): string {
    return this.contract.text;
  }

  @Get('openapi.json')
  @Public()
  json(): object {
    return this.contract.document;
  }
}
