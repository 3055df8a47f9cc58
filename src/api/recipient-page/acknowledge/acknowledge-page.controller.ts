import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../auth/require-permission.decorator.js';
import { FormBody } from '../../../platform/http/body/json-body.guard.js';
import { requestId } from '../../../platform/http/request-id.js';
import { NOTE_MAX_LENGTH } from '../../occurrence/acknowledge/acknowledge.dto.js';
import { LinkVisits } from '../link-visits.js';
import { acknowledgePage } from './acknowledge-page.js';
import { AcknowledgePageService } from './acknowledge-page.service.js';

/** The page behind the link to acknowledge. Only POST acknowledges: scanners of mail open every link. */
@ApiExcludeController()
@Controller('a/:token')
export class AcknowledgePageController {
  constructor(
    private readonly page: AcknowledgePageService,
    private readonly visits: LinkVisits,
  ) {}

  @Get()
  @Public()
  async ask(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.visits.answer({ token, request, response }, await this.page.find(token), (visit) =>
      acknowledgePage(visit.recipient, visit.language, visit.link),
    );
  }

  @Post()
  @HttpCode(200)
  @Public()
  @FormBody(16)
  async acknowledge(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const to = { token, request, response };
    return this.visits.change(to, await this.page.find(token), async ({ recipient, language, link }) => {
      const note = noteIn(request);
      if ([...note].length > NOTE_MAX_LENGTH) {
        response.status(400);
        return acknowledgePage(recipient, language, link, true);
      }
      await this.page.acknowledge(recipient, note, requestId(request));
      const now = await this.page.find(token);
      return now && acknowledgePage(now, language, link);
    });
  }
}

/** One line: the field of the page is one. */
function noteIn({ body }: Request): string {
  const note = body instanceof URLSearchParams ? (body.get('note') ?? '') : '';
  return note.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
