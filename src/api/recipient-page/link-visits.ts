import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { clientAddress, networkOf } from '../../platform/http/client-address.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { pathOf } from '../../platform/http/path-of.js';
import type { PageRecipient } from './recipient.service.js';
import { languageOf } from './texts.js';
import type { Language } from './texts.js';
import { plainPage } from './unsubscribe-page.js';

/** Wrong tokens of an address in a minute, as for wrong keys. Right tokens work all the same. */
const MAX_WRONG_TOKENS = 100;

/** Changes of a user in a minute: each is an entry of the audit log. */
const MAX_CHANGES = 30;

/** A request for the page of a link. */
export interface LinkRequest {
  token: string;
  request: Request;
  response: Response;
}

export interface Visit<Recipient extends PageRecipient = PageRecipient> {
  recipient: Recipient;
  language: Language;
  /** The way from the page to the page of the link. */
  link: string;
}

type Work<Recipient extends PageRecipient> = (visit: Visit<Recipient>) => HtmlPage | null | Promise<HtmlPage | null>;

/** Answers requests for the pages behind the links in messages, and bounds them. */
@Injectable()
export class LinkVisits {
  private readonly wrongTokens = new RateLimits<string>(60_000);
  private readonly changes = new RateLimits(60_000);

  /** `recipient`: null if the link does not work. `work` returns null if what it is about is gone. */
  async answer<Recipient extends PageRecipient>(
    { token, request, response }: LinkRequest,
    recipient: Recipient | null,
    work: Work<Recipient>,
  ): Promise<string> {
    const network = networkOf(clientAddress(request));
    const language = languageFor(request, recipient);
    const page = recipient && (await unlessGone(work({ recipient, language, link: linkFrom(request, token) })));
    if (page) return send(response, page);
    const { waitMs } = this.wrongTokens.take(network, MAX_WRONG_TOKENS);
    if (waitMs > 0) return send(response.status(429).set('Retry-After', seconds(waitMs)), plainPage('busy', language));
    return send(response.status(404), plainPage('gone', language));
  }

  change<Recipient extends PageRecipient>(
    to: LinkRequest,
    recipient: Recipient | null,
    work: Work<Recipient>,
  ): Promise<string> {
    return this.answer(to, recipient, (visit) => {
      const { waitMs } = this.changes.take(visit.recipient.userId, MAX_CHANGES);
      if (waitMs === 0) return work(visit);
      to.response.status(429).set('Retry-After', seconds(waitMs));
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
