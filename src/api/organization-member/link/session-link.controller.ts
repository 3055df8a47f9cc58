import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiConflictResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { PublicOperation } from '../../../auth/require-permission.decorator.js';
import { refuseOtherOrigin } from '../../../auth/session/same-origin.js';
import { conflict } from '../../../platform/http/problem.js';
import { MAIL_LINK_MINUTES, MemberLinks } from './member-links.js';
import { CreateSessionLinkDto, SessionLinkDto } from './session-link.dto.js';

@ApiTags('Sessions')
@Controller('api/session/link')
export class SessionLinkController {
  constructor(private readonly links: MemberLinks) {}

  /** See whether the service mails links that sign members in. */
  @Get()
  @PublicOperation()
  get(): SessionLinkDto {
    return { mailed: this.links.areMailed, minutes: MAIL_LINK_MINUTES };
  }

  /**
   * Ask for a mail with a link that signs in.
   *
   * @remarks The answer is the same for every address. If it is that of a member, the mail has a link for each organization of the member. A link
   * works once; its text behind `#t=` is the `link` of `POST /api/session/`.
   */
  @Post()
  @HttpCode(202)
  @PublicOperation()
  @ApiResponse({ status: 403, description: 'The request comes from a page of another site.' })
  @ApiConflictResponse({ description: 'The service has no mail server for it.' })
  @ApiResponse({ status: 429, description: 'Too many requests from the client, or for the address.' })
  create(@Body() { email }: CreateSessionLinkDto, @Req() request: Request): SessionLinkDto {
    // Other sites fill nobody's mailbox.
    refuseOtherOrigin(request);
    if (!this.links.areMailed)
      throw conflict('The service cannot send mail. Ask an administrator of the organization for a sign-in link.');
    this.links.request(email, request);
    return this.get();
  }
}
