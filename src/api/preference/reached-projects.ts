import type { Audience } from '../../rules/condition/audience.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { belongsTo } from './belongs-to.js';
import { AUDIENCES_OF_PROJECTS, PROJECTS_OF_USER } from './preference.sql.js';

interface AudienceRow {
  projectId: number;
  audience: Audience;
}

/** Audiences that one statement checks. */
const TOGETHER = 50;

/**
 * The projects with categories whose messages can reach a user: the user is on one of their lists, belongs to the audience of one of
 * their notifications (switched on or off), was named as a recipient, or has chosen about one of their categories or events. What the user sees of the
 * organization's categories, over the API and on the preference page, are those of these projects.
 */
export async function reachedProjects(
  client: SqlTransaction,
  organizationId: number,
  userId: number,
): Promise<number[]> {
  const projects = await client.$queryRawUnsafe<{ id: number; isReached: boolean }[]>(
    PROJECTS_OF_USER,
    organizationId,
    userId,
  );
  const reached = new Set(projects.filter(({ isReached }) => isReached).map(({ id }) => id));
  const others = projects.filter(({ isReached }) => !isReached).map(({ id }) => id);
  if (others.length === 0) return [...reached];
  let left = await client.$queryRawUnsafe<AudienceRow[]>(AUDIENCES_OF_PROJECTS, others);
  while (left.length > 0) {
    for (const projectId of await matching(client, userId, left.slice(0, TOGETHER))) reached.add(projectId);
    left = left.slice(TOGETHER).filter(({ projectId }) => !reached.has(projectId));
  }
  return [...reached];
}

/** The projects of the audiences that the user belongs to. */
async function matching(client: SqlTransaction, userId: number, rows: AudienceRow[]): Promise<number[]> {
  const audiences = rows.map(({ audience }) => audience);
  const matches = await belongsTo(client, userId, audiences);
  return rows.flatMap(({ projectId }, i) => (matches[i] ? [projectId] : []));
}
