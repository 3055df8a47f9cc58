import { Injectable } from '@nestjs/common';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { actorOf } from '../../auth/scope.js';
import { NOT_AN_EMAIL, emailKey, isEmailAddress } from '../../platform/field/email.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { linkUrl } from '../session/session-rows.js';
import { OrganizationMemberDto } from './organization-member.dto.js';
import type { MemberLinkDto, OrganizationMemberRow, PutOrganizationMemberDto } from './organization-member.dto.js';
import { FIND_ORGANIZATION_MEMBERS } from './organization-member.sql.js';
import {
  createLinkOfMember,
  findOrganizationMember,
  putOrganizationMember,
  removeOrganizationMember,
  requireRights,
  sessionsOfMember,
} from './organization-member.write.js';
import type { MemberEditor } from './organization-member.write.js';

/** Whoever gets the link from a colleague may not read it at once. */
const LINK_LASTS = '24 hours';

type Row = OrganizationMemberRow & { emailKey: string };

/** The colleagues of an organization. As with keys, nobody grants more than they hold, and a key of a project sees only its members. */
@Injectable()
export class OrganizationMemberService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly keys: ApiKeyStore,
    private readonly scopes: ScopeService,
  ) {}

  list({ organizationId, key }: Scope, page: Page) {
    const read = (after: string | null, limit: number) =>
      this.prisma.$queryRawUnsafe<Row[]>(
        ...([FIND_ORGANIZATION_MEMBERS, organizationId, key.projectId, after, null, limit] as const),
      );
    return new Listing(page, read, OrganizationMemberDto.from, (row) => row.emailKey);
  }

  async put(scope: Scope, body: PutOrganizationMemberDto): Promise<OrganizationMemberDto> {
    const email = scope.path.memberEmail ?? '';
    if (!isEmailAddress(email)) throw invalidField('memberEmail', 'invalid_format', NOT_AN_EMAIL);
    return this.change(scope, async (tx, editor) => {
      const row = await putOrganizationMember(tx, editor, email, body);
      return {
        answer: await this.read(tx, scope, email),
        stale: 'id' in row ? await sessionsOfMember(tx, row.id) : [],
      };
    });
  }

  async remove(scope: Scope): Promise<void> {
    await this.change(scope, async (tx, editor) => {
      const member = await findOrganizationMember(tx, editor, scope.path.memberEmail ?? '');
      const stale = await sessionsOfMember(tx, member.id);
      await removeOrganizationMember(tx, editor, member);
      return { answer: null, stale };
    });
  }

  async createLink(scope: Scope, base: string): Promise<MemberLinkDto> {
    return this.change(scope, async (tx, editor) => {
      const member = await findOrganizationMember(tx, editor, scope.path.memberEmail ?? '');
      // Whoever has the link acts as the member.
      requireRights(editor, member);
      const { link, expiresAt } = await createLinkOfMember(tx, member, LINK_LASTS);
      return { answer: { url: linkUrl(base, link), expires_at: expiresAt.toISOString() }, stale: [] };
    });
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
