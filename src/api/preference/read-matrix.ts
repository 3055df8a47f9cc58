import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { addressKindOf } from '../../rules/ruleset/decide.js';
import { matrixOf } from './matrix.js';
import type { MatrixFacts } from './matrix.js';
import { openLists } from '../distribution-list/open/open-lists.js';
import { mutedThreadDto, mutedThreads } from './mute/mute.js';
import type { PreferencesDto } from './preference.dto.js';
import { storedChoices } from './preference.read.js';
import type { StoredChoice } from './preference.read.js';
import * as sql from './preference.sql.js';
import { FREQUENCY } from './read-choices.js';
import { reachedProjects } from './reached-projects.js';

interface MatrixOwner {
  organizationId: number;
  userId: number;
  /** Only what belongs to them; null or left out: everything. */
  projectId?: number | null;
  applicationId?: number | null;
  /** Whether only categories of projects that reach the user are shown: it is the user who looks. */
  isOwn?: boolean;
}

interface TypeRow {
  type: string;
  config: Record<string, unknown> | null;
}

interface AddressRow {
  name: string;
  /** Null: in the whole organization. */
  project: string | null;
  causes: SuppressionCause[];
}

/** By the kind of address, for one project or, under null, for the whole organization. */
type Suppressions = Map<string | null, Map<string, SuppressionCause[]>>;

/** Reads the effective choices of a user. */
export async function readMatrix(
  client: Transaction,
  dispatchers: ReadonlyMap<string, Dispatcher>,
  { organizationId, userId, projectId = null, applicationId = null, isOwn = false }: MatrixOwner,
): Promise<PreferencesDto> {
  const read = <Row>(text: string, ...values: unknown[]) => client.$queryRawUnsafe<Row[]>(text, ...values);
  const bySettings = [...dispatchers.values()].filter((each) => each.addressKindFor).map(({ type }) => type);
  const rows = await read<TypeRow>(sql.CHANNEL_TYPES, organizationId, projectId, bySettings);
  const addresses = await read<AddressRow>(sql.SUPPRESSED_ADDRESSES, organizationId, userId, projectId);
  const choices = await storedChoices(client, [userId]);
  const suppressions: Suppressions = new Map(addresses.map(({ project }) => [project, new Map()]));
  for (const { name, project, causes } of addresses) suppressions.get(project)!.set(name, causes);
  const shown = isOwn ? await reachedProjects(client, organizationId, userId) : null;
  const matrix = matrixOf({
    types: typesOf(rows, choices, suppressions, dispatchers),
    categories: await read(sql.CATEGORIES, organizationId, projectId, shown),
    events: await read(sql.CHOSEN_EVENTS, organizationId, userId, projectId, applicationId),
    choices,
  });
  const lists = await openLists(client, { organizationId, userId }, projectId);
  return {
    ...matrix,
    lists: lists.map(({ project, list, name, description, on }) => ({ project, list, name, description, on })),
    muted_threads: (await mutedThreads(client, userId, projectId, applicationId)).map(mutedThreadDto),
  };
}

/** The types of the organization's channels, and those that the user has chosen about before their last channel was deleted. */
function typesOf(
  rows: TypeRow[],
  choices: StoredChoice[],
  suppressions: Suppressions,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): MatrixFacts['types'] {
  const chosen = choices.filter(
    ({ type }) => type !== '' && type !== FREQUENCY && rows.every((row) => row.type !== type),
  );
  const all = [...rows, ...chosen.map(({ type }) => ({ type, config: null }))];
  return [...new Set(all.map(({ type }) => type))].sort().map((type) => {
    const kinds = all
      .filter((row) => row.type === type)
      .map(({ config }) => addressKindOf({ type, config: config ?? {} }, dispatchers));
    const causes = [...suppressions].map(
      ([project, byKind]) => [project, causesOf([...new Set(kinds)], byKind)] as const,
    );
    return { type, suppressedBy: new Map(causes) };
  });
}

/** Channels of one type may use several kinds of addresses. Then the type is suppressed only if all of them are. */
function causesOf(kinds: (string | null)[], byKind: Map<string, SuppressionCause[]>): SuppressionCause[] {
  const causes = kinds.map((kind) => (kind === null ? [] : (byKind.get(kind) ?? [])));
  return causes.every((each) => each.length > 0) ? [...new Set(causes.flat())] : [];
}
