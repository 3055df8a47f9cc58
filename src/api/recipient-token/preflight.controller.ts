import { Controller, HttpCode, Options, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Origins } from '../../auth/recipient/origins.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { allowedMethods } from '../../platform/http/adapter/allowed-methods.js';

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Last-Event-ID, X-Request-Id',
  // Browsers ask again after ten minutes.
  'Access-Control-Max-Age': '600',
};

/**
 * Browsers ask here whether a page of another host may send a request (CORS). Every operation that is open to recipients has its question;
 * the routes test compares both.
 */
@ApiExcludeController()
@Controller('api/o/:org/u/:username')
export class PreflightController {
  constructor(private readonly origins: Origins) {}

  @Options('inbox')
  @HttpCode(204)
  @Public()
  inbox(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/stream')
  @HttpCode(204)
  @Public()
  stream(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/mark')
  @HttpCode(204)
  @Public()
  mark(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/categories')
  @HttpCode(204)
  @Public()
  categories(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/:message')
  @HttpCode(204)
  @Public()
  message(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/:message/read')
  @HttpCode(204)
  @Public()
  markRead(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('inbox/:message/acknowledge')
  @HttpCode(204)
  @Public()
  acknowledge(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('preferences')
  @HttpCode(204)
  @Public()
  preferences(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('settings')
  @HttpCode(204)
  @Public()
  settings(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('devices')
  @HttpCode(204)
  @Public()
  devices(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response);
  }

  @Options('devices/:bundle/:device')
  @HttpCode(204)
  @Public()
  device(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.answer(request, response, 'PUT, DELETE');
  }

  private async answer(request: Request, response: Response, methods?: string): Promise<void> {
    response.setHeader('Allow', [...allowedMethods(request), 'OPTIONS'].join(', '));
    if (!(await this.origins.share(request, response))) return;
    response.set({ ...ALLOWED, ...(methods && { 'Access-Control-Allow-Methods': methods }) });
  }
}
