import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../auth/require-permission.decorator.js';
import { FormBody } from '../../../platform/http/body/json-body.guard.js';
import { requestId } from '../../../platform/http/request-id.js';
import { LinkVisits } from '../link-visits.js';
import type { LinkRequest } from '../link-visits.js';
import { mutePage } from './mute-page.js';
import { MutePageService } from './mute-page.service.js';

/** The page behind the link to mute what a message is about. Only POST mutes: scanners of mail open every link. */
@ApiExcludeController()
@Controller('m/:token')
export class MutePageController {
  constructor(
    private readonly page: MutePageService,
    private readonly visits: LinkVisits,
  ) {}

  @Get()
  @Public()
  async ask(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.visits.answer({ token, request, response }, await this.page.find(token), (visit) =>
      mutePage(visit.recipient, visit.language, visit.link),
    );
  }

  @Post()
  @HttpCode(200)
  @Public()
  @FormBody(16)
  mute(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.change({ token, request, response }, 'mute');
  }

  @Post('undo')
  @HttpCode(200)
  @Public()
  @FormBody(16)
  undo(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.change({ token, request, response }, 'undo');
  }

  private async change(to: LinkRequest, verb: 'mute' | 'undo'): Promise<string> {
    return this.visits.change(to, await this.page.find(to.token), async ({ recipient, language, link }) => {
      await this.page[verb](recipient, requestId(to.request));
      const now = await this.page.find(to.token);
      return now && mutePage(now, language, link, verb === 'undo');
    });
  }
}
