import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { Public } from '../../auth/require-permission.decorator.js';
import { FormBody } from '../../platform/http/body/json-body.guard.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { pathOf } from '../../platform/http/path-of.js';
import { requestId } from '../../platform/http/request-id.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { preferencePage } from './preference-page.js';
import { RecipientService } from './recipient.service.js';
import type { PageRecipient } from './recipient.service.js';
import { languageOf, speak } from './texts.js';
import type { Language } from './texts.js';
import { plainPage, unsubscribePage } from './unsubscribe-page.js';

/** Wrong tokens of an address in a minute, as for wrong keys. Right tokens work all the same. */
const MAX_WRONG_TOKENS = 100;

/** Changes of a user in a minute: each is an entry of the audit log. */
const MAX_CHANGES = 30;

interface Visit {
  recipient: PageRecipient;
  language: Language;
  /** The way from the page to the page of the link. */
  link: string;
}

/** Pages for recipients, behind the links in their messages. Only POST changes something: scanners of mail open every link. */
@ApiExcludeController()
@Controller('u/:token')
export class RecipientController {
  private readonly wrongTokens = new RateLimits<string>(60_000);
  private readonly changes = new RateLimits(60_000);

  constructor(private readonly recipients: RecipientService) {}

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
    const network = networkOf(clientAddress(request));
    const recipient = await this.recipients.find(token);
    const language = languageFor(request, recipient);
    const visit = recipient && { recipient, language, link: linkFrom(request, token) };
    const page = visit && (await unlessGone(work(visit)));
    if (page) return send(response, page);
    const { waitMs } = this.wrongTokens.take(network, MAX_WRONG_TOKENS);
    if (waitMs > 0) return send(response.status(429).set('Retry-After', seconds(waitMs)), plainPage('busy', language));
    return send(response.status(404), plainPage('gone', language));
  }

  private change(
    token: string,
    request: Request,
    response: Response,
    work: (visit: Visit) => Promise<HtmlPage | null>,
  ): Promise<string> {
    return this.answer(token, request, response, (visit) => {
      const { waitMs } = this.changes.take(visit.recipient.userId, MAX_CHANGES);
      if (waitMs === 0) return work(visit);
      response.status(429).set('Retry-After', seconds(waitMs));
      return plainPage('busy', visit.language, visit.recipient.pageTexts);
    });
  }
}

/** The language of the user, else of the browser, else of the organization, else English. */
function languageFor(request: Request, recipient: PageRecipient | null): Language {
  const { locale = null, organizationLocale = null } = recipient ?? {};
  // `*` names no language.
  const wanted = [locale, ...request.acceptsLanguages(), organizationLocale];
  return wanted.map(languageOf).find((language) => language !== undefined) ?? 'en';
}

const seconds = (ms: number) => String(Math.ceil(ms / 1000));

/** Null if the user or the category was deleted in this moment. */
async function unlessGone(page: HtmlPage | null | Promise<HtmlPage | null>): Promise<HtmlPage | null> {
  try {
    return await page;
  } catch (error) {
    if (isForeignKeyViolation(error)) return null;
    throw error;
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

/** Relative, because a proxy may serve the page below another path: from /u/TOKEN/undo it is ../TOKEN. */
function linkFrom({ originalUrl }: Request, token: string): string {
  const steps = pathOf(originalUrl).split('/').length - 3;
  return `${steps === 0 ? './' : '../'.repeat(steps)}${token}`;
}

function send(response: Response, { html, policy }: HtmlPage): string {
  response.set({
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    Vary: 'Accept-Language',
  });
  response.type('html');
  return html;
}
