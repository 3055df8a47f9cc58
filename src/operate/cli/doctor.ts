import type { Client } from 'pg';
import { channelSettingsCheck } from '../../api/channel/check/channel-settings-check.js';
import { mailDomainsCheck } from '../../api/channel/domain/mail-domains-check.js';
import { translationsCheck } from '../../api/messages/translations-check.js';
import { cellChecks } from '../../cell/directory/cell-report.js';
import { withDirectory } from '../../cell/directory/with-directory.js';
import { readConfig } from '../../platform/config/config.js';
import type { CellSettings, Config } from '../../platform/config/config.js';
import { advisedChecks } from '../../platform/database/check/advised.js';
import type { Check } from '../../platform/database/check/check.js';
import { requiredChecks } from '../../platform/database/check/required.js';
import { createSession } from '../../platform/database/connection/open-session.js';
import { pendingMigrations } from '../../platform/database/migration/migrate.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { secretKeyOf } from '../../platform/secret/secret-key.js';
import { SECRET_KEY_ADVICE, readStoredKeys } from '../../platform/secret/stored-keys.js';
import { print } from './print/print.js';
import type { PrintOptions } from './print/print.js';
import { sizeTable, tableSizes } from './print/table-sizes.js';
import type { TableSize } from './print/table-sizes.js';

interface Findings {
  checks: Check[];
  tables: TableSize[];
}

const MIN_POSTGRES_VERSION = 150_000;
const MAX_CLOCK_SKEW_MS = 2000;

export async function doctor(options: PrintOptions): Promise<void> {
  const { checks, tables } = await examine();
  const ok = checks.every((check) => check.ok);
  const text = checks.map(line).join('\n');
  await print(options, { ok, checks, tables }, tables.length > 0 ? `${text}\n\n${sizeTable(tables)}` : text);
  if (!ok) process.exitCode = 1;
}

function line({ ok, name, detail, advice }: Check): string {
  return `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(13)} ${detail}${advice && !ok ? `\n      ${''.padEnd(13)} -> ${advice}` : ''}`;
}

async function examine(): Promise<Findings> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const advice = '.env.example describes every setting';
    return { checks: [{ name: 'configuration', ok: false, detail: (error as Error).message, advice }], tables: [] };
  }
  const source = config.databaseUrl ? 'DATABASE_URL' : `embedded PostgreSQL in ${config.dataDir}`;
  const configuration = { name: 'configuration', ok: true, detail: `role ${config.role}, ${source}` };
  try {
    const database = await openDatabase(config, 'command');
    try {
      const { checks, tables } = await examineDatabase(database.url, config);
      return { checks: [configuration, ...checks], tables };
    } finally {
      await database.close();
    }
  } catch (error) {
    const advice = config.databaseUrl
      ? 'check that DATABASE_URL is right and that PostgreSQL runs and accepts connections'
      : 'check DATA_DIR, and postgres/postgres.log in it';
    const detail = (error as Error).message || 'cannot be reached';
    return { checks: [configuration, { name: 'database', ok: false, detail, advice }], tables: [] };
  }
}

async function examineDatabase(url: string, config: Config): Promise<Findings> {
  const client = await createSession(url, { kind: 'request', name: 'carillon doctor' }).open();
  try {
    const before = Date.now();
    const { rows } = await client.query<{ version: string; number: number; now: Date }>(
      `select current_setting('server_version') version, current_setting('server_version_num')::int number, clock_timestamp() now`,
    );
    const { version, number, now } = rows[0]!;
    const skew = Math.round(Math.abs(now.getTime() - (before + Date.now()) / 2));
    const pending = await pendingMigrations(client);
    const checks = [
      {
        name: 'database',
        ok: number >= MIN_POSTGRES_VERSION,
        detail: `PostgreSQL ${version}`,
        advice: 'use PostgreSQL 15 or later',
      },
      ...(await requiredChecks(client, url)),
      ...(await advisedChecks(client, config)),
      await linksCheck(client, config, pending.length === 0),
      ...(pending.length === 0 ? [await secretKeyCheck(client, config)] : []),
      {
        name: 'migrations',
        ok: pending.length === 0,
        detail: pending.length === 0 ? 'all applied' : `${pending.length} pending: ${pending.join(', ')}`,
        advice: 'run `npx carillon migrate`, or start the service',
      },
      {
        name: 'clock',
        ok: skew <= MAX_CLOCK_SKEW_MS,
        detail: `${skew} ms off the clock of the database`,
        advice: 'run NTP on both machines: schedules and key expiry depend on the time',
      },
      ...(pending.length === 0 ? await translationsCheck(client) : []),
      ...(pending.length === 0 ? await mailDomainsCheck(client, config, boxOf(config)) : []),
      ...(pending.length === 0 ? await channelSettingsCheck(client, config, boxOf(config)) : []),
      ...(config.cell && pending.length === 0 ? await checkCells(client, config.cell) : []),
    ];
    return { checks, tables: await tableSizes(client) };
  } finally {
    await client.end();
  }
}

const checkCells = (client: Client, cell: CellSettings) =>
  withDirectory(cell.directoryUrl, (directory) => cellChecks(cell, client, directory));

const boxOf = (config: Config) => new SecretBox(secretKeyOf(config), config.previousSecretKey);

async function secretKeyCheck(client: Client, config: Config): Promise<Check> {
  const { opened, problem } = await readStoredKeys(client, boxOf(config));
  const detail = opened === 0 ? 'nothing is encrypted yet' : `opens all ${opened} stored secrets`;
  return { name: 'secret key', ok: problem === null, detail: problem ?? detail, advice: SECRET_KEY_ADVICE };
}

/** Mail that a user may opt out of needs links to the service. Without the newest tables nobody can opt out yet. */
async function linksCheck(client: Client, { linksUrl, databaseUrl }: Config, isMigrated: boolean): Promise<Check> {
  const sql = `select exists (select from categories where "default" <> 'required') needed`;
  const isNeeded = isMigrated && (await client.query<{ needed: boolean }>(sql)).rows[0]!.needed;
  return {
    name: 'links',
    // With the embedded database somebody tries the service on their own machine, which no mail can link to.
    ok: linksUrl !== null || databaseUrl === null || !isNeeded,
    detail: linksUrl ?? 'PUBLIC_URL is not set: mail has no unsubscribe links',
    advice:
      'set PUBLIC_URL to the https:// address of the service: users may opt out of a category, and large mail providers require the links',
  };
}
