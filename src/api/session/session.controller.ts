import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { PublicOperation, RequireKey } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { clearCookie } from '../../auth/session/cookie.js';
import { refuseOtherOrigin } from '../../auth/session/same-origin.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import { invalid } from '../../platform/http/problem.js';
import { PROVIDERS } from './oidc/provider.js';
import type { Provider } from './oidc/provider.js';
import { CreateSessionDto, SessionDto, SessionProviderDto } from './session.dto.js';
import { SessionService } from './session.service.js';

@ApiTags('Sessions')
@Controller('api/session')
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    @Inject(PROVIDERS) private readonly providers: readonly Provider[],
  ) {}

  /**
   * Sign in with an API key or with a one-time link.
   *
   * @remarks The answer sets a cookie, for pages of this service in a browser. The session has the reach and the permissions of the key,
   * and shares its rate limit. It ends after 12 hours without a request, after 7 days, with its key, or when somebody ends it. A
   * wrong key or link counts as a wrong key of its address.
   */
  @Post()
  @PublicOperation()
  @ApiResponse({ status: 401, description: 'The key is not valid, or the link has expired or was used.' })
  @ApiResponse({ status: 403, description: 'The request comes from a page of another site.' })
  @ApiResponse({ status: 429, description: 'Too many requests of the key, or too many wrong keys from the address.' })
  @ApiResponse({ status: 503, description: 'The database cannot answer at the moment. Send the request again.' })
  async create(
    @Body() { key, link }: CreateSessionDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto> {
    // Nobody is signed in by another site, with a key of its choice.
    refuseOtherOrigin(request);
    if (key !== undefined && link === undefined) return this.sessions.createOfKey(key, request, response);
    if (link !== undefined && key === undefined) return this.sessions.createOfLink(link, request, response);
    const rule = fieldError('conflict', 'give either key or link');
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
  @ApiResponse({ status: 404, description: 'The request has an API key, not a session.' })
  async remove(
    @CurrentScope() scope: Scope,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.remove(scope);
    clearCookie(request, response);
  }

  /** List the OpenID providers where operators can sign in. */
  @Get('providers')
  @PublicOperation()
  listProviders(@CurrentBaseUrl() base: string): SessionProviderDto[] {
    return this.providers.map(({ name, slug }) => ({
      name,
      url: new URL(`${base}/api/session/oidc/${slug}/`).pathname,
    }));
  }
}
