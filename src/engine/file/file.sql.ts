/** Begins a file whose bytes are still to come. $1: id, $2: organization. */
export const BEGIN_FILE = `insert into files (id, organization_id) values ($1, $2)`;

/** $1: organization, $2: file, $3: position, $4: bytes. */
export const ADD_CHUNK = `insert into file_chunks (organization_id, file_id, position, bytes) values ($1, $2, $3, $4)`;

/** Ends a file. Fails if the organization has a file with the same bytes. $1: id, $2: hash, $3: size. */
export const END_FILE = `update files set sha256 = $2, size = $3 where id = $1`;

export const DELETE_FILE = `delete from files where id = $1`;

/** The bytes of all files of an organization. $1: organization. */
export const USED_BYTES = `select coalesce(sum(size), 0)::float8 bytes from files where organization_id = $1`;

/** $1: organization, $2: file, $3: position. */
export const READ_CHUNK = `select bytes from file_chunks where organization_id = $1 and file_id = $2 and position = $3`;

/**
 * An upload of a file that the organization has; no row: the purge was faster. $1: id, $2: organization, $3: hash, $4: name, $5: type, $6: days.
 */
export const ADD_UPLOAD = `
  with file as (select id from files where organization_id = $2::int and sha256 = $3::bytea for key share)
  insert into uploads (id, organization_id, file_id, filename, content_type, expires_at)
  select $1::uuid, $2::int, id, $4, $5, now() + make_interval(days => $6) from file
  returning file_id "fileId", created_at "createdAt", expires_at "expiresAt"`;
