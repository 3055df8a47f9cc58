import { readConfig } from '../../platform/config/config.js';
import { commandLine } from '../../platform/database/actor.js';
import { runningUrl } from '../start/running-url.js';
import { createLink, linkUrl } from '../../api/session/session-rows.js';
import { withConnection } from './connection.js';
import type { Connection } from './connection.js';
import { CommandError, print } from './print/print.js';

export interface ConsoleOptions {
  org?: string;
  json?: boolean;
}

/** Prints a sign-in link. It needs no key: whoever runs commands here can create any key. */
export async function openConsole({ org, json }: ConsoleOptions): Promise<void> {
  const config = readConfig();
  const link = await withConnection(async (connection) => {
    const organizationId = org === undefined ? null : await findOrganization(connection, org);
    return connection.change(commandLine('console'), (tx) => createLink(tx, organizationId));
  });
  const url = linkUrl(config.publicUrl ?? (await runningUrl(config)) ?? `http://${config.host}:${config.port}`, link);
  await print({ json }, { url }, url);
}

async function findOrganization(connection: Connection, slug: string): Promise<number> {
  const sql = 'select id from organizations where slug = $1';
  const [row] = await connection.$queryRawUnsafe<{ id: number }[]>(sql, slug);
  if (!row) throw new CommandError(`there is no organization ${slug}`);
  return row.id;
}
