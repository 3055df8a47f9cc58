import { different, insertRows, keyColumns, readPage, withKeys } from './rows.js';
import type { Key, RowPage, PageQuery } from './rows.js';
import { hasSecrets, resealSecrets } from './reseal-secrets.js';
import type { Boxes } from './reseal-secrets.js';
import type { Side } from './side.js';
import { childrenOf } from './tables.js';
import type { OwnTable } from './tables.js';

/** Copies rows of one organization between the two databases. */
export class Copy {
  /** How many rows were copied, of all tables. */
  copied = 0;

  constructor(
    readonly source: Side,
    readonly target: Side,
    readonly tables: OwnTable[],
    readonly organizationId: number,
    private readonly boxes: Boxes,
  ) {}

  table(name: string): OwnTable {
    return this.tables.find((table) => table.name === name)!;
  }

  /** Copies all pages of a query. `onPage` is told the place of the last row after each page is in the target. */
  async all(
    table: OwnTable,
    query: PageQuery,
    onPage: (page: RowPage, last: string[]) => Promise<void> = async () => undefined,
  ): Promise<void> {
    for (let after = query.after ?? null; ;) {
      const page = await readPage(this.source, table, { ...query, after });
      if (page.last === null) return;
      await this.write(page);
      await onPage(page, page.last);
      after = page.last;
    }
  }

  /** Writes a page into the target, and notes rows that differ afterwards: they are copied again later. */
  private async write(page: RowPage, replace: () => Promise<unknown> = async () => undefined): Promise<void> {
    const wrong = await this.target.asReplica(async () => {
      await replace();
      await insertRows(this.target, page);
      if (hasSecrets(page.table.name)) {
        const ids = page.rows.map(({ key }) => key[0]!);
        await resealSecrets(this.target, page.table.name, ids, this.boxes);
      }
      return different(this.target, page);
    });
    this.copied += page.rows.length;
    if (wrong.length > 0) await this.noteAgain(page.table, wrong);
  }

  private async noteAgain({ name, parent, kind }: OwnTable, rows: RowPage['rows']): Promise<void> {
    const owner = kind === 'parent' ? parent!.table : name;
    const keys = rows.map(({ key, parent: of }) => (kind === 'parent' ? [of] : key));
    await this.source.run(
      `insert into move_changes (table_name, key)
       select $1, array(select jsonb_array_elements_text(k)) from jsonb_array_elements($2::jsonb) k`,
      [owner, JSON.stringify(keys)],
    );
  }

  /** Makes some rows of a table in the target equal to those in the source, together with the rows that follow them. */
  async again(table: OwnTable, keys: readonly Key[]): Promise<void> {
    const columns = keyColumns(table, keys);
    await this.target.asReplica(async () => {
      await this.target.run(`delete from ${table.name} t where ${withKeys(table)}`, columns);
      for (const child of childrenOf(this.tables, table.name))
        await this.target.run(`delete from ${child.name} t where t.${child.parent!.column} = any($1)`, [columns[0]]);
    });
    const query = { where: `${table.scope} and ${withKeys(table, 2)}`, values: [this.organizationId, ...columns] };
    await this.all(table, query);
    for (const child of childrenOf(this.tables, table.name)) await this.children(child, columns[0]!);
  }

  /** Copies the rows that belong to some rows of their parent. A row of the target with the same key makes room. */
  async children(child: OwnTable, parents: readonly string[]): Promise<void> {
    const query: PageQuery = { where: `t.${child.parent!.column} = any($1)`, values: [parents] };
    for (let after: string[] | null = null; ;) {
      const page: RowPage & { last: string[] | null } = await readPage(this.source, child, { ...query, after });
      if (page.last === null) return;
      const keys = page.rows.map(({ key }) => key);
      await this.write(page, () =>
        this.target.run(`delete from ${child.name} t where ${withKeys(child)}`, keyColumns(child, keys)),
      );
      after = page.last;
    }
  }

  /** Makes a whole table of the target equal, for tables with few rows. */
  async whole(table: OwnTable): Promise<void> {
    await this.target.asReplica(() =>
      this.target.run(`delete from ${table.name} t where ${table.scope}`, [this.organizationId]),
    );
    await this.all(table, { where: table.scope, values: [this.organizationId] });
  }
}
