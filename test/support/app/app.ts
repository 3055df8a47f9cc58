import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { expect } from '@jest/globals';
import { Pool } from 'pg';
import supertest from 'supertest';
import { createApp } from '../../../src/app.js';
import { ApiKeyStore } from '../../../src/auth/api-key-store.js';
import { PERMISSIONS } from '../../../src/auth/permission.js';
import type { Permission } from '../../../src/auth/permission.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { FIELD_ERROR_CODES } from '../../../src/platform/field/error/field-error.js';
import { PrismaService } from '../../../src/platform/database/prisma.service.js';
import { STOP_MS } from '../../../src/operate/start/running.js';
import { ProvisioningService } from '../../../src/operate/provisioning/provisioning.service.js';
import { createDatabase } from './database.js';
import type { TestDatabase } from './database.js';

export interface KeyOptions {
  name?: string;
  org?: string;
  project?: string;
  application?: string;
  permissions?: readonly Permission[];
  expiresAt?: Date;
  rateLimit?: number;
}

export type PageHeaders = Record<'Cookie' | 'Sec-Fetch-Site', string>;

/** Every error of every test has a code: the same fields, with as many codes as sentences. */
function checkCodes({ type, body }: { type: string; body: unknown }): void {
  const { errors, codes = {} } = (body ?? {}) as Record<'errors' | 'codes', Record<string, string[]> | undefined>;
  if (type !== 'application/problem+json' || errors === undefined) return;
  const counts = (all: Record<string, string[]>) => Object.entries(all).map(([field, each]) => [field, each.length]);
  expect(counts(codes)).toEqual(counts(errors));
  for (const code of Object.values(codes).flat()) expect(FIELD_ERROR_CODES).toContain(code);
}

/** Organizations, keys, and every table whose rows are deleted with theirs. */
const OWNED_TABLES = `
  with recursive owned as (
    select oid from pg_class where oid in ('organizations'::regclass, 'api_keys'::regclass)
    union
    select conrelid from pg_constraint join owned on confrelid = owned.oid where contype = 'f' and confdeltype = 'c')
  select array_agg(oid::regclass::text) tables from owned`;

/** The whole service on a database of its own, listening on loopback. */
export class TestApp {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly databaseUrl: string,
    readonly pool: Pool,
    private readonly drop: () => Promise<void>,
  ) {}

  /** `given`: a database that exists already; it is dropped in the end. */
  static async start(env: Record<string, string> = {}, given?: TestDatabase): Promise<TestApp> {
    const database = given ?? (await createDatabase());
    const secretKey = Buffer.alloc(32, 7).toString('base64');
    const config = readConfig({
      LOG_LEVEL: 'error',
      ROLE: 'api',
      SECRET_KEY: secretKey,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      // Stories wait for a time far ahead.
      QUOTA_SEND_AT_DAYS: '36500',
      ...env,
    });
    const app = await createApp(config, database.url);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const pool = new Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    return new TestApp(app, `http://127.0.0.1:${port}`, database.url, pool, database.drop);
  }

  async stop(): Promise<void> {
    // A process ends in spite of a request that does not, as one that a browser has begun and given up.
    const late = setTimeout(() => this.app.getHttpServer().closeAllConnections(), STOP_MS);
    await this.app.close();
    clearTimeout(late);
    await this.pool.end();
    await this.drop();
  }

  /** Deletes all organizations and keys, with all that belongs to them. */
  async empty(): Promise<void> {
    const { rows } = await this.pool.query<{ tables: string[] }>(OWNED_TABLES);
    const deletions = rows[0]!.tables.map((table) => `delete from ${table}`);
    // Without foreign keys and the audit log, it takes a twentieth of the time.
    await this.pool.query(
      ['set session_replication_role = replica', ...deletions, 'reset session_replication_role'].join(';'),
    );
  }

  /** Provisions from YAML, as `carillon apply` does. */
  async apply(yaml: string): Promise<void> {
    await this.app.get(ProvisioningService).apply(yaml, {});
  }

  /** Creates a key; with no `org` it is an operator key. All permissions unless some are named. */
  async key(options: KeyOptions = {}): Promise<string> {
    return (await this.keyWithId(options)).text;
  }

  async keyWithId({
    name = 'test',
    org,
    project,
    application,
    permissions = PERMISSIONS,
    expiresAt,
    rateLimit,
  }: KeyOptions = {}) {
    const prisma = this.app.get(PrismaService);
    const organization = org ? await prisma.organization.findUniqueOrThrow({ where: { slug: org } }) : null;
    const organizationId = organization?.id;
    const projectRow = project
      ? await prisma.project.findFirstOrThrow({ where: { organizationId, slug: project } })
      : null;
    const applicationRow = application
      ? await prisma.application.findFirstOrThrow({ where: { projectId: projectRow!.id, slug: application } })
      : null;
    const branch = { organizationId, projectId: projectRow?.id, applicationId: applicationRow?.id };
    const key = { name, permissions, expiresAt, rateLimit, ...branch };
    return this.app.get(ApiKeyStore).create(key, { actor: 'test' });
  }

  /** Signs in with a key or a link. Returns the headers of a page of this service from then on. */
  async signIn(body: { key: string } | { link: string }): Promise<PageHeaders> {
    const { status, headers } = await this.as().post('/api/session/').send(body);
    if (status !== 201) throw new Error(`signing in was answered ${status}`);
    const [cookie] = headers['set-cookie'] as unknown as [string];
    return { Cookie: cookie.split(';', 1)[0]!, 'Sec-Fetch-Site': 'same-origin' };
  }

  private agent() {
    return supertest
      .agent(this.url)
      .use((request: supertest.Request) => void (request as supertest.Test).expect(checkCodes));
  }

  /** Requests of a page that somebody has signed in on. */
  on(headers: PageHeaders) {
    return this.agent().set(headers);
  }

  /** Requests with this key; without one, with none. */
  as(key?: string) {
    const agent = this.agent();
    return key ? agent.set('Authorization', `Key ${key}`) : agent;
  }
}
