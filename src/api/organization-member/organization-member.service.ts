import { Injectable, Logger } from '@nestjs/common';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { actorOf } from '../../auth/scope.js';
import { NOT_AN_EMAIL, emailKey, isEmailAddress } from '../../platform/field/email.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound, unavailable } from '../../platform/http/problem.js';
import type { OrganizationMember } from '../../platform/database/generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { linkUrl } from '../session/session-rows.js';
import type { MailLanguage } from './link/link-mail.js';
import { MAIL_LINK_MINUTES, MemberLinks } from './link/member-links.js';
import { OrganizationMemberDto } from './organization-member.dto.js';
import type { MemberLinkDto, OrganizationMemberRow, PutOrganizationMemberDto } from './organization-member.dto.js';
import { FIND_ORGANIZATION_MEMBERS } from './organization-member.sql.js';
import {
  createLinkOfMember,
  deleteLinksOfMember,
  findOrganizationMember,
  putOrganizationMember,
  removeOrganizationMember,
  requireRights,
  sessionsOfMember,
} from './organization-member.write.js';
import type { MemberEditor } from './organization-member.write.js';

/** Whoever gets the link from a colleague may not read it at once. */
const LINK_LASTS = '24 hours';

interface Invitation {
  organization: string;
  link: string;
  expiresAt: Date;
}

type Row = OrganizationMemberRow & { emailKey: string };

/** The colleagues of an organization. As with keys, nobody grants more than they hold, and a key of a project sees only its members. */
@Injectable()
export class OrganizationMemberService {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly prisma: PrismaService,
    private readonly keys: ApiKeyStore,
    private readonly scopes: ScopeService,
    private readonly links: MemberLinks,
  ) {}

  list({ organizationId, key }: Scope, page: Page) {
    const read = (after: string | null, limit: number) =>
      this.prisma.$queryRawUnsafe<Row[]>(
        ...([FIND_ORGANIZATION_MEMBERS, organizationId, key.projectId, after, null, limit] as const),
      );
    return new Listing(page, read, OrganizationMemberDto.from, (row) => row.emailKey);
  }

  /** A new member gets a mail, if the service can send one. `language`: of whoever adds the member. */
  async put(scope: Scope, body: PutOrganizationMemberDto, language: MailLanguage): Promise<OrganizationMemberDto> {
    const email = scope.path.memberEmail ?? '';
    if (!isEmailAddress(email)) throw invalidField('memberEmail', 'invalid_format', NOT_AN_EMAIL);
    const { member, invitation } = await this.change(scope, async (tx, editor) => {
      const row = await putOrganizationMember(tx, editor, email, body);
      const member = await this.read(tx, scope, email);
      const isInvited = row.verb === 'create' && this.links.areMailed;
      const invitation = isInvited ? await this.linkOf(tx, await findOrganizationMember(tx, editor, email)) : null;
      return { answer: { member, invitation }, stale: await sessionsOfMember(tx, row.id) };
    });
    if (invitation) void this.invite(member.email, invitation, language);
    return member;
  }

  async remove(scope: Scope): Promise<void> {
    await this.change(scope, async (tx, editor) => {
      const member = await findOrganizationMember(tx, editor, scope.path.memberEmail ?? '');
      const stale = await sessionsOfMember(tx, member.id);
      await removeOrganizationMember(tx, editor, member);
      return { answer: null, stale };
    });
  }

  async createLink(scope: Scope, base: string, language: MailLanguage): Promise<MemberLinkDto> {
    const { email, link, organization, expiresAt } = await this.change(scope, async (tx, editor) => {
      const member = await findOrganizationMember(tx, editor, scope.path.memberEmail ?? '');
      // Whoever has the link acts as the member.
      requireRights(editor, member);
      await deleteLinksOfMember(tx, member.id);
      return { answer: { email: member.email, ...(await this.linkOf(tx, member)) }, stale: [] };
    });
    const expires_at = expiresAt.toISOString();
    if (!this.links.areMailed) return { url: linkUrl(base, link), mailed_to: null, expires_at };
    const refusal = await this.links.invite(email, { organization, url: this.links.urlOf(link) }, language);
    if (refusal !== null) throw unavailable(`The mail could not be sent: ${refusal}`);
    return { url: null, mailed_to: email, expires_at };
  }

  private async linkOf(tx: Transaction, member: OrganizationMember): Promise<Invitation> {
    const where = { id: member.organizationId };
    const { name: organization } = await tx.organization.findUniqueOrThrow({ where, select: { name: true } });
    const lasts = this.links.areMailed ? `${MAIL_LINK_MINUTES} minutes` : LINK_LASTS;
    return { organization, ...(await createLinkOfMember(tx, member, lasts)) };
  }

  /** The member is added, whether the mail leaves or not: they, or whoever added them, ask for another one. */
  private async invite(to: string, { organization, link }: Invitation, language: MailLanguage): Promise<void> {
    const mailed = this.links.invite(to, { organization, url: this.links.urlOf(link) }, language);
    const refusal = await mailed.catch((error: Error) => error.message);
    if (refusal !== null) this.logger.warn({ message: 'could not mail an invitation', error: refusal });
  }

  /** One change of the organization's members at a time: each counts the administrators that are left. `stale`: sessions whose rights have changed. */
  private async change<Answer>(
    scope: Scope,
    work: (tx: Transaction, editor: MemberEditor) => Promise<{ answer: Answer; stale: number[] }>,
  ): Promise<Answer> {
    const { organizationId, key } = scope;
    const { answer, stale } = await this.prisma.change(actorOf(scope), async (tx) => {
      const [found] = await lockRows(tx, 'organizations', [organizationId], 'no key update');
      if (found === undefined) throw notFound('organization');
      // Read after the lock: another administrator may just have taken the rights of whoever asks.
      await this.keys.requireUnchanged(key, tx);
      const { projectId, permissions, name } = key;
      return work(tx, { organizationId, projectId, permissions, name });
    });
    for (const id of stale) this.scopes.forget(id);
    return answer;
  }

  private async read(tx: Transaction, { organizationId, key }: Scope, email: string): Promise<OrganizationMemberDto> {
    const values = [organizationId, key.projectId, null, emailKey(email), 1];
    const [row] = await tx.$queryRawUnsafe<Row[]>(FIND_ORGANIZATION_MEMBERS, ...values);
    if (!row) throw notFound('member');
    return OrganizationMemberDto.from(row);
  }
}
