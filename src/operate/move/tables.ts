import type { CatalogTable } from './catalog.js';

/** Tables that belong to a cell or to the whole installation. Their rows stay where they are. */
export const STAYING = [
  '_carillon_migrations',
  '_prisma_migrations',
  'cells',
  'move_changes',
  'moves',
  'organization_freezes',
  'own_cell',
  'places',
] as const;

/**
 * Tables whose rows act by themselves, or let somebody in: workers take jobs and close digests, keys and tokens are looked up without a
 * path. They are copied while the organization is frozen, and the source loses them right after the switch. They hold few rows.
 */
const LATE = [
  'api_keys',
  'channel_states',
  'digests',
  'figure_changes',
  'id_orders',
  'jobs',
  'organization_usage',
  'schedule_runs',
  'signing_secrets',
];

/** Tables whose rows are made again where the organization arrives: the source only deletes them. */
const LEFT = ['channel_tokens', 'incidents'];

/** Tables that grow with every trigger. They are read by event and occurrence: none has an index by organization. */
const HISTORY = ['occurrences', 'deliveries'];

/** Entries get their place in the chain of the organization once, in the source. */
const ONLY: Record<string, string> = { audit_entries: 't.position is not null' };

/**
 * The text of a row `t` that is compared, where it is not the whole row. Secrets differ by their encryption and are compared by opening
 * them. A reader may use a key, and a worker may find a job due, also in a frozen organization.
 */
const COMPARED: Record<string, string> = {
  channels: `(to_jsonb(t) || jsonb_build_object('config', (select jsonb_object_agg(key, case jsonb_typeof(value)
      when 'object' then '"sealed"'::jsonb else value end) from jsonb_each(t.config))))::text`,
  status_webhooks: `(to_jsonb(t) - 'secret')::text`,
  signing_secrets: `(to_jsonb(t) - 'secret')::text`,
  api_keys: `(to_jsonb(t) - 'last_used_at')::text`,
  jobs: `(to_jsonb(t) || case t.state when 'scheduled' then '{"state": "ready"}'::jsonb else '{}' end)::text`,
};

/** Tables that are different in each cell: what it measures, and in which order it reads ids. */
const NOT_COMPARED = ['id_orders', 'organization_usage'];

export interface OwnTable extends CatalogTable {
  /** `rows`: changes are noted by key; `parent`: changes only together with a row of its parent; `late`: copied while frozen; `left`: not copied. */
  kind: 'rows' | 'parent' | 'late' | 'left';
  history: boolean;
  /** The table and the column that lead to the organization, if it has no column for it. */
  parent: { column: string; table: string } | null;
  /** SQL condition for the rows `t` of the organization `$1`. */
  scope: string;
  /** SQL for the text of a row `t` that is compared; null: it is not compared. */
  compared: string | null;
}

/** The tables of an organization. Throws if nobody has decided what becomes of a table. */
export function ownTables(catalog: CatalogTable[]): OwnTable[] {
  const moving = catalog.filter(({ name }) => !(STAYING as readonly string[]).includes(name));
  const direct = new Map(moving.flatMap((table) => (ownerOf(table) ? [[table.name, ownerOf(table)!]] : [])));
  return moving.map((table) => {
    const parent = direct.has(table.name) ? null : table.parents.find(({ table: name }) => direct.has(name));
    if (parent === undefined) throw new Error(`nobody has decided whether a move takes the table ${table.name} along`);
    if (table.key === null) throw new Error(`a move cannot copy the table ${table.name}: it has no primary key`);
    const { name } = table;
    const owned = parent
      ? `exists (select from ${parent.table} o where o.id = t.${parent.column} and o.${direct.get(parent.table)} = $1)`
      : `t.${direct.get(name)} = $1`;
    return {
      ...table,
      kind: LEFT.includes(name) ? 'left' : LATE.includes(name) ? 'late' : parent ? 'parent' : 'rows',
      history: HISTORY.includes(name) || (parent !== null && HISTORY.includes(parent.table)),
      parent,
      scope: [owned, ...(ONLY[name] ? [ONLY[name]] : [])].join(' and '),
      compared: [...NOT_COMPARED, ...LEFT].includes(name) ? null : (COMPARED[name] ?? 't::text'),
    };
  });
}

function ownerOf({ name, columns }: CatalogTable): string | null {
  if (name === 'organizations') return 'id';
  return columns.some((column) => column.name === 'organization_id') ? 'organization_id' : null;
}

/** Tables whose rows change only together with a row of this table. */
export const childrenOf = (tables: OwnTable[], name: string) =>
  tables.filter(({ kind, parent }) => kind === 'parent' && parent?.table === name);
