import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, RequireKey } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { clearCookie } from '../auth/session/cookie.js';
import { refuseOtherOrigin } from '../auth/session/same-origin.js';
import { invalid } from '../http/problem.js';
import { CreateSessionDto, SessionDto, SessionProviderDto } from './session.dto.js';
import { SessionService } from './session.service.js';

@ApiTags('Sessions')
@Controller('api/session')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  /**
   * Sign in with an API key or with a one-time link.
   *
   * @remarks The answer sets a cookie, for pages of this service in a browser. The session has the reach and the permissions of the key,
   * and shares its rate limit. It ends after 12 hours without a request, after 7 days, with its key, or when somebody ends it. A
   * wrong key or link counts as a wrong key of its address.
   */
  @Post()
  @Public()
  async create(
    @Body() { key, link }: CreateSessionDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto> {
    // Nobody is signed in by another site, with a key of its choice.
    refuseOtherOrigin(request);
    if (key !== undefined && link === undefined) return this.sessions.createOfKey(key, request, response);
    if (link !== undefined && key === undefined) return this.sessions.createOfLink(link, request, response);
    const rule = 'give either key or link';
    throw invalid({ key: [rule], link: [rule] });
  }

  /** See who is signed in: the session of the cookie, or the API key in a header. */
  @Get()
  @RequireKey()
  get(@CurrentScope() scope: Scope): Promise<SessionDto> {
    return this.sessions.get(scope);
  }

  /** Sign out: end the session of the cookie. */
  @Delete()
  @HttpCode(204)
  @RequireKey()
  async remove(
    @CurrentScope() scope: Scope,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.remove(scope);
    clearCookie(request, response);
  }

  /** List the OpenID providers where people can sign in. */
  @Get('providers')
  @Public()
  listProviders(): SessionProviderDto[] {
    return [];
  }
}
