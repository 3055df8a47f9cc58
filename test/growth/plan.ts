import type { ClientBase } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

const isWholeIndex = (node: PlanNode) => /^Index (Only )?Scan/.test(node['Node Type']) && !node['Index Cond'];

const isLimited = (node: PlanNode): boolean =>
  (node.Plans ?? []).some((plan) => plan['Node Type'] === 'Limit' || isLimited(plan));

/** How PostgreSQL would run a statement. */
export class Plan {
  private constructor(private readonly root: PlanNode) {}

  /** Whatever the values: as a named statement is run. */
  static async generic(client: ClientBase, sql: string): Promise<Plan> {
    const { rows } = await client.query<Explained>(`explain (generic_plan, format json) ${sql}`);
    return new Plan(rows[0]!['QUERY PLAN'][0].Plan);
  }

  /** For these values. */
  static async custom(client: ClientBase, sql: string, values: unknown[]): Promise<Plan> {
    const { rows } = await client.query<Explained>(`explain (format json) ${sql}`, values);
    return new Plan(rows[0]!['QUERY PLAN'][0].Plan);
  }

  /** Where it reads a table, or an index of it, from one end to the other. */
  scansOf(tables: string[]): string[] {
    return this.nodes()
      .filter(({ node }) => tables.includes(node['Relation Name'] ?? ''))
      .filter(({ node, limited }) => node['Node Type'].includes('Seq Scan') || (isWholeIndex(node) && !limited))
      .map(({ node }) => `${node['Node Type']} on ${node['Relation Name']}`);
  }

  get nodeTypes(): string[] {
    return this.nodes().map(({ node }) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
  }

  /** Whether it must have all rows before it can answer the first; those of one page it may sort. */
  get sorts(): boolean {
    return this.nodes().some(({ node }) => node['Node Type'] === 'Sort' && !isLimited(node));
  }

  private nodes(node = this.root, limited = false): { node: PlanNode; limited: boolean }[] {
    const below = limited || node['Node Type'] === 'Limit';
    return [{ node, limited }, ...(node.Plans ?? []).flatMap((plan) => this.nodes(plan, below))];
  }
}
