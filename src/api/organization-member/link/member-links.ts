import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimits } from '../../../auth/quota/rate-limit.js';
import type { Actor } from '../../../platform/database/actor.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import { CONFIG } from '../../../platform/config/config.js';
import type { Config } from '../../../platform/config/config.js';
import { emailKey } from '../../../platform/field/email.js';
import { clientAddress, networkOf } from '../../../platform/http/client-address.js';
import { requestId } from '../../../platform/http/request-id.js';
import { tooManyLinks } from '../../../platform/http/problem.js';
import { linkUrl } from '../../session/session-rows.js';
import { createLinkOfMember } from '../organization-member.write.js';
import type { LinkedMember } from '../organization-member.write.js';
import { MEMBERSHIPS_OF_EMAIL } from './link.sql.js';
import { MAIL_LANGUAGES, linkMail } from './link-mail.js';
import type { MailLanguage, OrganizationLink } from './link-mail.js';
import { SystemMailer } from './system-mailer.js';

/** How long a link in a mail works. */
export const MAIL_LINK_MINUTES = 15;

/** Links that a member could still use. More are not mailed: nobody fills a mailbox with them, and a mail that comes late still works. */
const MAX_OPEN_LINKS = 5;
/** Organizations of one mail. */
const MAX_ORGANIZATIONS = 20;

const WINDOW_MS = MAIL_LINK_MINUTES * 60_000;
/** Mails to one address, and requests of one client, in a window. */
const PER_ADDRESS = 5;
const PER_CLIENT = 20;

interface Membership extends LinkedMember {
  organization: string;
  links: number;
}

/** Mails links that sign members in. */
@Injectable()
export class MemberLinks {
  private readonly logger = new Logger('SignIn');
  private readonly limits = new RateLimits<string>(WINDOW_MS);

  constructor(
    private readonly prisma: PrismaService,
    private readonly mail: SystemMailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get areMailed(): boolean {
    return this.mail.isConfigured;
  }

  /**
   * Mails a link to whoever has this address, if it is a member's. The caller does not wait for it, and gets the same answer at the same time for
   * every address: it does not tell who is a member.
   */
  request(email: string, request: Request): void {
    const address = clientAddress(request);
    this.limit(`client ${networkOf(address)}`, PER_CLIENT);
    this.limit(`address ${emailKey(email)}`, PER_ADDRESS);
    const by = { actor: 'sign-in page', request: requestId(request), address };
    this.mailAll(email, languageOf(request), by).catch((error: unknown) =>
      this.logger.warn({ message: 'could not mail a sign-in link', error: (error as Error).message }),
    );
  }

  /** Mails a link that was made for a member. Returns why the mail server did not take it; null: it did. */
  invite(to: string, link: OrganizationLink, language: MailLanguage): Promise<string | null> {
    return this.send('invitation', to, [link], language);
  }

  urlOf(link: string): string {
    return linkUrl(this.config.publicUrl!, link);
  }

  private limit(bucket: string, most: number): void {
    const { waitMs } = this.limits.take(bucket, most);
    if (waitMs > 0) throw tooManyLinks(Math.ceil(waitMs / 1000));
  }

  private async mailAll(email: string, language: MailLanguage, by: Actor): Promise<void> {
    const memberships = await this.prisma.$queryRawUnsafe<Membership[]>(
      ...([MEMBERSHIPS_OF_EMAIL, emailKey(email), MAX_ORGANIZATIONS] as const),
    );
    const links: OrganizationLink[] = [];
    for (const membership of memberships.filter((each) => each.links < MAX_OPEN_LINKS)) {
      const create = this.prisma.change(by, (tx) => createLinkOfMember(tx, membership, `${MAIL_LINK_MINUTES} minutes`));
      links.push({ organization: membership.organization, url: this.urlOf((await create).link) });
    }
    if (links.length === 0) return;
    // To the address that was invited: what somebody has typed may differ from it in more than its case.
    const refusal = await this.send('sign-in', memberships[0]!.email, links, language);
    if (refusal !== null) this.logger.warn({ message: 'could not mail a sign-in link', error: refusal });
  }

  private send(kind: 'sign-in' | 'invitation', to: string, links: OrganizationLink[], language: MailLanguage) {
    const about = { kind, links, console: `${this.config.publicUrl}/console/`, minutes: MAIL_LINK_MINUTES };
    return this.mail.send(to, linkMail(about, language));
  }
}

/** The language of whoever causes a mail: the service does not know the reader's. */
export const languageOf = (request: Request): MailLanguage =>
  (request.acceptsLanguages(...MAIL_LANGUAGES) || 'en') as MailLanguage;
