import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/require-permission.decorator.js';
import { version } from '../../platform/config/version.js';
import { HealthService } from './health.service.js';
import { indexPage } from './index-page.js';

/** What is where: the console or a page for browsers, JSON for programs. */
@ApiExcludeController()
@Controller()
export class IndexController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Public()
  async root(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object | string | void> {
    if (request.accepts(['json', 'html']) !== 'html') return this.answer(request, response, '.');
    response.setHeader('Vary', 'Accept');
    response.redirect('console/'); // relative, because a proxy may serve it below another path
  }

  @Get('api')
  @Public()
  api(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object | string> {
    return this.answer(request, response, request.path.endsWith('/') ? '..' : '.');
  }

  /** `base`: the way back to the root. Links in the page are relative, because a proxy may serve it below another path. */
  private async answer(request: Request, response: Response, base: string): Promise<object | string> {
    response.setHeader('Vary', 'Accept');
    if (request.accepts(['json', 'html']) !== 'html') return { name: 'Carillon', version, ...LINKS };
    const { html, policy } = indexPage({ base, version, checks: await this.health.check() });
    response.setHeader('Content-Security-Policy', policy);
    response.type('html');
    return html;
  }
}

const LINKS = {
  console: '/console/',
  docs: '/api/docs/',
  openapi: '/api/openapi.json',
  provisioning_schema: '/api/provisioning.schema.json',
  health: '/health/ready',
};
