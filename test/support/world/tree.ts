import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { Pool } from 'pg';
import { hashApiKey, newApiKey } from '../../../src/auth/api-key.js';
import { RecipientScopes } from '../../../src/auth/recipient/recipient-scopes.js';
import { signingSecretContext } from '../../../src/auth/recipient/signing-secret.js';
import { ScopeService } from '../../../src/auth/scope.service.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { Database } from '../../../src/platform/database/database.js';
import { StoredBytes } from '../../../src/auth/quota/stored-bytes.js';
import { SecretBox } from '../../../src/platform/secret/secret-box.js';
import { createDatabase } from '../app/database.js';
import type { TestDatabase } from '../app/database.js';
import { until } from '../until.js';

/** Two organizations with two projects each, which have two applications each: everything has the same names everywhere. */
const CREATE = `
  insert into organizations (slug, name) values ('acme', 'Acme'), ('globex', 'Globex');
  insert into organization_usage (organization_id, stored_bytes) select id, id * 1000 from organizations;
  insert into users (organization_id, email, email_key) select id, 'ann@x.test', 'ann@x.test' from organizations;
  insert into projects (organization_id, slug, name) select id, prj, prj from organizations, unnest(array['shop', 'depot']) prj;
  insert into distribution_lists (organization_id, project_id, name, name_key) select organization_id, id, 'Staff', 'staff' from projects;
  insert into applications (organization_id, project_id, slug, name)
    select organization_id, id, app, app from projects, unnest(array['web', 'till']) app;
  insert into events (organization_id, application_id, slug, name) select organization_id, id, 'paid', 'Paid' from applications;
  insert into occurrences (id, organization_id, event_id, context, options) select gen_random_uuid(), organization_id, id, '{}', '{}' from events`;

/** Every part of the tree that a key can be bound to. */
const REACHES = `
  select null::int organization, null::int project, null::int application union all select id, null, null from organizations
  union all select organization_id, id, null from projects union all select organization_id, project_id, id from applications
  order by application nulls first, project nulls first, organization nulls first`;

/** The occurrences, each with everything above it. */
const BRANCHES = `
  select o.id organization, o.slug org, p.id project, p.slug prj, a.id application, a.slug app, e.id event, u.id "user", l.id list, c.id occurrence
  from occurrences c join events e on e.id = c.event_id join applications a on a.id = e.application_id join projects p on p.id = a.project_id
  join organizations o on o.id = p.organization_id join users u on u.organization_id = o.id join distribution_lists l on l.project_id = p.id
  order by o.slug, p.slug desc, a.slug desc`;

const CANCEL_WAITING = `
  select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

export interface Branch {
  organization: number;
  org: string;
  project: number;
  prj: string;
  application: number;
  app: string;
  event: number;
  user: number;
  list: number;
  occurrence: string;
}

interface Reach {
  organization: number | null;
  project: number | null;
  application: number | null;
}

const EVERYTHING: Reach = { organization: null, project: null, application: null };

export interface TreeKey extends Reach {
  id: number;
  text: string;
  hash: Buffer;
}

/** A database with a small tree, and a key for every part of it. Without the app. */
export class Tree {
  /** The first one is acme, shop, web. */
  branches: Branch[] = [];
  /** The first one is an operator's; then those of organizations, projects and applications. */
  keys: TreeKey[] = [];
  readonly config = readConfig({ QUOTA_TRIGGERS_PER_SECOND: '2' });
  /** As the service has it. */
  readonly database: Database;
  /** For the test. */
  readonly pool: Pool;
  private readonly box = new SecretBox(Buffer.alloc(32, 7));

  private constructor(private readonly own: TestDatabase) {
    this.database = new Database(own.url, this.config);
    this.pool = new Pool({ connectionString: own.url, max: 2 });
  }

  static async create(): Promise<Tree> {
    const tree = new Tree(await createDatabase());
    await tree.pool.query(CREATE);
    tree.branches = (await tree.pool.query<Branch>(BRANCHES)).rows;
    const { rows } = await tree.pool.query<Reach>(REACHES);
    for (const reach of rows) tree.keys.push(await tree.key({}, reach));
    return tree;
  }

  /** A process that knows no key yet. */
  scopes(): ScopeService {
    return new ScopeService(this.database, new StoredBytes(this.database), this.config);
  }

  /** A process that knows no signing secret yet. */
  recipients(): RecipientScopes {
    return new RecipientScopes(this.database, this.box, this.config);
  }

  /** A new signing secret of the first organization, with this text. `columns`: of its row, other than usual. */
  async signingSecret(text: string, columns: { secret?: string; revoked_at?: Date } = {}) {
    const { organization } = this.branches[0]!;
    const kid = randomUUID();
    const { secret = this.box.seal(text, signingSecretContext(organization, kid)), revoked_at = null } = columns;
    const sql = `insert into signing_secrets (organization_id, kid, name, secret, revoked_at) values ($1, $2, 'test', $3, $4) returning id`;
    const { rows } = await this.pool.query<{ id: number }>(sql, [organization, kid, secret, revoked_at]);
    return { id: rows[0]!.id, kid };
  }

  /** A new key. `columns`: of its row, other than usual. */
  async key(columns: Record<string, unknown> = {}, reach = EVERYTHING): Promise<TreeKey> {
    const text = newApiKey();
    const hash = Buffer.from(hashApiKey(text), 'hex');
    const row = {
      ...{ name: 'test', permissions: ['user:read'], hash },
      ...{ organization_id: reach.organization, project_id: reach.project, application_id: reach.application },
      ...columns,
    };
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    const sql = `insert into api_keys (${Object.keys(row).join(', ')}) values (${places.join(', ')}) returning id`;
    const { rows } = await this.pool.query<{ id: number }>(sql, Object.values(row));
    return { ...reach, id: rows[0]!.id, text, hash };
  }

  /** Holds the locks of a statement while `work` is done. */
  async locked<T>(sql: string, work: () => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query(`begin; ${sql}`);
      return await work();
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** Ends the statement that waits for a lock: it fails. */
  async cancelWaiting(): Promise<void> {
    await until(15_000, async () => (await this.pool.query(CANCEL_WAITING)).rowCount);
  }

  async drop(): Promise<void> {
    await this.database.onApplicationShutdown();
    await this.pool.end();
    await this.own.drop();
  }
}

/** One tree for all tests of a file. */
export function useTree(given: (tree: Tree) => void): void {
  let tree: Tree | undefined;
  beforeAll(async () => {
    tree = await Tree.create();
    given(tree);
  });
  afterAll(() => tree?.drop());
}
