import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/require-permission.decorator.js';
import { FormBody } from '../../platform/http/body/json-body.guard.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { requestId } from '../../platform/http/request-id.js';
import { LinkVisits } from './link-visits.js';
import type { Visit } from './link-visits.js';
import { preferencePage } from './preference-page.js';
import { RecipientService } from './recipient.service.js';
import type { PageRecipient } from './recipient.service.js';
import { languageOf, speak } from './texts.js';
import { unsubscribePage } from './unsubscribe-page.js';

/** Pages for recipients, behind the links in their messages. Only POST changes something: scanners of mail open every link. */
@ApiExcludeController()
@Controller('u/:token')
export class RecipientController {
  constructor(
    private readonly recipients: RecipientService,
    private readonly visits: LinkVisits,
  ) {}

  @Get()
  @Public()
  ask(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.answer(token, request, response, (visit) => pageOf(visit));
  }

  /** One click in a mail program (RFC 8058), or on the page. The body does not matter. */
  @Post()
  @HttpCode(200)
  @Public()
  @FormBody(16)
  unsubscribe(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.change(token, request, response, async (visit) => {
      if (visit.recipient.categoryId === 0) return null;
      await this.recipients.unsubscribe(visit.recipient, requestId(request));
      return pageOf(visit, await this.recipients.find(token));
    });
  }

  @Post('undo')
  @HttpCode(200)
  @Public()
  @FormBody(16)
  undo(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.change(token, request, response, async (visit) => {
      if (visit.recipient.categoryId === 0) return null;
      await this.recipients.undo(visit.recipient, requestId(request));
      return pageOf(visit, await this.recipients.find(token), true);
    });
  }

  @Get('preferences')
  @Public()
  choices(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.answer(token, request, response, async ({ recipient, language, link }) =>
      preferencePage(await this.recipients.view(recipient), language, link),
    );
  }

  @Post('preferences')
  @HttpCode(200)
  @Public()
  @FormBody(128)
  choose(@Param('token') token: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.change(token, request, response, async ({ recipient, language, link }) => {
      const before = await this.recipients.view(recipient);
      const form = (request.body ?? new URLSearchParams()) as URLSearchParams;
      const say = speak(language, recipient.pageTexts);
      const saved = form.has('remove')
        ? await this.recipients.removeDevice(recipient, before, form, say, requestId(request))
        : form.has('unmute')
          ? await this.recipients.unmute(recipient, before, form, requestId(request))
          : await this.recipients.save(recipient, before, form, requestId(request));
      if (saved && 'problem' in saved) response.status(400);
      const now = (await this.recipients.find(token)) ?? recipient;
      // The user may just have chosen another language.
      return preferencePage(await this.recipients.view(now), languageOf(now.locale) ?? language, link, saved);
    });
  }

  /** `work` returns null for a link that does not work. */
  private async answer(
    token: string,
    request: Request,
    response: Response,
    work: (visit: Visit) => HtmlPage | null | Promise<HtmlPage | null>,
  ): Promise<string> {
    return this.visits.answer({ token, request, response }, await this.recipients.find(token), work);
  }

  private async change(
    token: string,
    request: Request,
    response: Response,
    work: (visit: Visit) => Promise<HtmlPage | null>,
  ): Promise<string> {
    return this.visits.change({ token, request, response }, await this.recipients.find(token), work);
  }
}

/** The page about the category of the link, as it is now; null: the link has none, or it is gone. */
function pageOf(
  { language, link, ...visit }: Visit,
  recipient: PageRecipient | null = visit.recipient,
  isUndone = false,
) {
  if (!recipient || recipient.categoryName === null) return null;
  return unsubscribePage({ ...recipient, categoryName: recipient.categoryName }, language, link, isUndone);
}
