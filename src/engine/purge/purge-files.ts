import type { Client } from 'pg';
import { DELETE_UNUSED_FILES, LOCK_UNUSED_FILES } from './purge.sql.js';

/** Files in one transaction: each may have hundreds of chunks. */
const FILES = 20;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Deletes the files that no upload and no occurrence refers to. Returns how many. */
export async function purgeFiles(client: Client): Promise<number> {
  let deleted = 0;
  for (let after = FIRST_ID; ;) {
    await client.query('begin');
    try {
      const { rows } = await client.query<{ id: string }>(LOCK_UNUSED_FILES, [after, FILES]);
      const ids = rows.map(({ id }) => id);
      deleted += ids.length === 0 ? 0 : ((await client.query(DELETE_UNUSED_FILES, [ids])).rowCount ?? 0);
      await client.query('commit');
      if (ids.length < FILES) return deleted;
      after = ids.at(-1)!;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}
