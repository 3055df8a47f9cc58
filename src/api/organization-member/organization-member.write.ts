import { newSecret, hashSecret } from '../../auth/api-key.js';
import { conflict, invalidField, notFound, tooWeak } from '../../platform/http/problem.js';
import { emailKey } from '../../platform/field/email.js';
import type { OrganizationMember } from '../../platform/database/generated/prisma/client.js';
import type { PutRow } from '../../platform/database/put-row.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { put } from '../resource/put.js';
import { isAdministrator, missingFor, nameOfMember, permissionsOf } from './member-rights.js';
import type { MemberRights } from './member-rights.js';
import type { PutOrganizationMemberDto } from './organization-member.dto.js';
import {
  DELETE_LINKS_OF_MEMBER,
  INSERT_LINK_OF_MEMBER,
  RENEW_SESSIONS_OF_MEMBER,
  SESSIONS_OF_MEMBER,
} from './organization-member.sql.js';

/** Members of one organization. */
export const MAX_MEMBERS = 1000;

/** Whoever changes members, and what they may do at the moment. */
export interface MemberEditor {
  organizationId: number;
  /** The project that they are bound to; null: none. */
  projectId: number | null;
  permissions: readonly string[];
  /** Their name in the audit log. */
  name: string;
}

/**
 * Adds a member, or changes one and what the member's sessions may do. The caller has locked the organization, so that two requests count
 * the same members.
 */
export async function putOrganizationMember(
  tx: Transaction,
  editor: MemberEditor,
  email: string,
  { name, role, project }: PutOrganizationMemberDto,
): Promise<PutRow> {
  const { organizationId } = editor;
  const stored = await tx.organizationMember.findFirst({ where: { organizationId, emailKey: emailKey(email) } });
  if (stored) requireRights(editor, stored);
  else await requireSpace(tx, organizationId);
  const wanted = role ?? stored?.role;
  if (wanted === undefined) throw invalidField('role', 'required', 'is required for a new member');
  const projectId = await projectOf(tx, editor, project, stored);
  refuseGrant(editor, wanted);
  if (stored && isAdministrator(stored) && !isAdministrator({ role: wanted, projectId }))
    await refuseLast(tx, stored, 'keeps the role');
  const columns = { name: name?.trim() ?? name, role: wanted, projectId };
  const added = stored ? {} : { email, invitedBy: editor.name };
  const identity = { emailKey: emailKey(email) };
  const row = await put(tx.organizationMember, { organizationId }, identity, { ...columns, ...added });
  if (row.verb === 'update') await renewSessions(tx, row.id);
  return row;
}

/** Ends the member's sessions, too: they are deleted with the member. */
export async function removeOrganizationMember(tx: Transaction, editor: MemberEditor, member: OrganizationMember) {
  requireRights(editor, member);
  if (isAdministrator(member)) await refuseLast(tx, member, 'stays');
  await tx.organizationMember.delete({ where: { id: member.id } });
}

export type LinkedMember = Pick<OrganizationMember, 'id' | 'email' | 'name' | 'role'>;

export const deleteLinksOfMember = (tx: Transaction, id: number) => tx.$executeRawUnsafe(DELETE_LINKS_OF_MEMBER, id);

/** Returns the text of the link: only its hash is stored. */
export async function createLinkOfMember(tx: Transaction, member: LinkedMember, lasts: string) {
  const link = newSecret('link');
  const values = [member.id, nameOfMember(member), sqlArray(permissionsOf(member)), hashSecret(link, 'link'), lasts];
  const [row] = await tx.$queryRawUnsafe<{ expiresAt: Date }[]>(INSERT_LINK_OF_MEMBER, ...values);
  return { link, expiresAt: row!.expiresAt };
}

/** The member within the reach of whoever asks. */
export async function findOrganizationMember(
  tx: Transaction,
  { organizationId, projectId }: Pick<MemberEditor, 'organizationId' | 'projectId'>,
  email: string,
): Promise<OrganizationMember> {
  const where = { organizationId, emailKey: emailKey(email), ...(projectId !== null && { projectId }) };
  // PostgreSQL accepts no NUL in a parameter.
  const row = email.includes('\u0000') ? null : await tx.organizationMember.findFirst({ where });
  if (!row) throw notFound('member');
  return row;
}

export const sessionsOfMember = async (tx: Transaction, id: number): Promise<number[]> =>
  (await tx.$queryRawUnsafe<{ id: number }[]>(SESSIONS_OF_MEMBER, id)).map((session) => session.id);

/** Nobody changes a member who may do more than they themselves. */
export function requireRights(editor: MemberEditor, member: MemberRights): void {
  if (editor.projectId !== null && member.projectId !== editor.projectId)
    throw conflict('This e-mail already has a role outside the project that your own key is bound to.');
  const missing = missingFor(editor.permissions, member);
  if (missing.length > 0) throw tooWeak(missing, 'member that it would change');
}

function refuseGrant(editor: MemberEditor, role: string): void {
  const missing = missingFor(editor.permissions, { role });
  if (missing.length === 0) return;
  throw invalidField('role', 'not_allowed', `must not exceed your own key, which lacks: ${missing.join(', ')}`);
}

async function requireSpace(tx: Transaction, organizationId: number): Promise<void> {
  const count = await tx.organizationMember.count({ where: { organizationId } });
  if (count >= MAX_MEMBERS)
    throw conflict(`The organization has ${count} members, and may have ${MAX_MEMBERS}. Remove one first.`);
}

/** Without an administrator nobody could invite another one. */
async function refuseLast(tx: Transaction, { id, organizationId }: OrganizationMember, what: string): Promise<void> {
  const others = { organizationId, role: 'administrator', projectId: null, id: { not: id } };
  if ((await tx.organizationMember.count({ where: others })) > 0) return;
  throw conflict(`The last administrator of the organization ${what}. Make another member administrator first.`);
}

async function projectOf(
  tx: Transaction,
  { organizationId, projectId }: MemberEditor,
  slug: string | null | undefined,
  stored: MemberRights | null,
): Promise<number | null> {
  if (slug === undefined) return stored ? stored.projectId : projectId;
  if (slug === null && projectId === null) return null;
  const where = { organizationId, slug: slug ?? '', ...(projectId !== null && { id: projectId }) };
  const row = await tx.project.findFirst({ where, select: { id: true } });
  if (!row) throw invalidField('project', 'not_found', 'must be the slug of a project that your own key reaches');
  return row.id;
}

async function renewSessions(tx: Transaction, id: number): Promise<void> {
  const member = await tx.organizationMember.findUniqueOrThrow({ where: { id } });
  const values = [id, nameOfMember(member), sqlArray(permissionsOf(member)), member.projectId];
  await tx.$executeRawUnsafe(RENEW_SESSIONS_OF_MEMBER, ...values);
}
