import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { parse } from 'yaml';
import { Public } from '../auth/require-permission.decorator.js';
import { root } from '../config/root.js';

/** The published contract: the committed file itself, which a check holds equal to the code. */
@ApiExcludeController()
@Controller('api')
export class DocsController {
  private readonly text = readFileSync(join(root, 'openapi.yaml'), 'utf8');
  private readonly document = parse(this.text) as object;

  @Get('openapi.yaml')
  @Header('Content-Type', 'application/yaml; charset=utf-8')
  @Public()
  yaml(): string {
    return this.text;
  }

  @Get('openapi.json')
  @Public()
  json(): object {
    return this.document;
  }
}
