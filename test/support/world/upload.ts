import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';

/** Gives an organization a file with some bytes and an upload of it, and answers the id of the upload. */
export async function addUpload(
  client: Pick<Pool | ClientBase, 'query'>,
  org: string,
  text = 'Hello',
): Promise<string> {
  const id = randomUUID();
  const sql = `
    with file as (
      insert into files (id, organization_id, sha256, size)
      select gen_random_uuid(), id, sha256($3::text::bytea), length($3::text) from organizations where slug = $1 returning id, organization_id
    ), chunk as (
      insert into file_chunks (organization_id, file_id, position, bytes) select organization_id, id, 0, $3::text::bytea from file
    )
    insert into uploads (id, organization_id, file_id, filename, content_type, expires_at)
    select $2::uuid, organization_id, id, 'hello.txt', 'text/plain', now() + interval '7 days' from file`;
  await client.query(sql, [org, id, text]);
  return id;
}
