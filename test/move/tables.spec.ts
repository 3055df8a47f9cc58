import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCatalog } from '../../src/operate/move/catalog.js';
import type { CatalogTable } from '../../src/operate/move/catalog.js';
import { Side } from '../../src/operate/move/side.js';
import { STAYING, ownTables } from '../../src/operate/move/tables.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';

let database: TestDatabase;
let catalog: CatalogTable[];

beforeAll(async () => {
  database = await createDatabase();
  const side = await Side.connect('source', database.url);
  catalog = await readCatalog(side);
  await side.end();
});
afterAll(() => database.drop());

describe('the tables of an organization', () => {
  it('have an answer each: they go along, or they stay', () => {
    const names = (kind: string) =>
      ownTables(catalog)
        .filter((table) => table.kind === kind)
        .map(({ name }) => name);
    expect(names('late')).toEqual([
      'api_keys',
      'channel_states',
      'digests',
      'figure_changes',
      'id_orders',
      'jobs',
      'organization_usage',
      'schedule_runs',
      'signing_secrets',
    ]);
    // The target makes them again.
    expect(names('left')).toEqual(['channel_tokens', 'incidents']);
    // The statement that writes them writes their parent, too: src/engine/outcome/outcomes.sql.ts, src/api/occurrence/occurrence.sql.ts.
    expect(names('parent')).toEqual(['attempts', 'delivery_reports', 'idempotency_keys', 'messages']);
    expect(names('rows')).toEqual([
      'acknowledgements',
      'addresses',
      'applications',
      'attachments',
      'audit_entries',
      'categories',
      'channels',
      'daily_domain_figures',
      'daily_figures',
      'deliveries',
      'devices',
      'distribution_lists',
      'domain_figures',
      'drafts',
      'erased_suppressions',
      'erasure_keys',
      'events',
      'figure_zones',
      'figures',
      'file_chunks',
      'files',
      'inbox_messages',
      'layouts',
      'members',
      'message_counts',
      'message_places',
      'monthly_domain_figures',
      'monthly_figures',
      'muted_threads',
      'notification_lists',
      'notifications',
      'occurrences',
      'organization_members',
      'organizations',
      'partials',
      'preferences',
      'projects',
      'rule_versions',
      'rulesets',
      'schedules',
      'soft_failures',
      'status_webhooks',
      'suppressions',
      'templates',
      'thread_resolutions',
      'uploads',
      'users',
    ]);
    const own = ownTables(catalog).map(({ name }) => name);
    const all = [...catalog.map(({ name }) => name), '_prisma_migrations']; // which only databases of version 0.1.0 have
    expect([...own, ...STAYING].sort()).toEqual(all.sort());
  });

  it('refuse a table that nobody has thought of', () => {
    const table = { name: 'things', columns: [{ name: 'id', type: 'integer' }], key: [], parents: [] };
    expect(() => ownTables([...catalog, table])).toThrow('whether a move takes the table things along');
  });
});
