/** Begins a file whose bytes are still to come. $1: id, $2: organization. */
export const BEGIN_FILE = `insert into files (id, organization_id) values ($1, $2)`;

/** $1: organization, $2: file, $3: position, $4: bytes. */
export const ADD_CHUNK = `insert into file_chunks (organization_id, file_id, position, bytes) values ($1, $2, $3, $4)`;

/** Ends a file. Fails if the organization has a file with the same bytes. $1: id, $2: hash, $3: size. */
export const END_FILE = `update files set sha256 = $2, size = $3 where id = $1`;

export const DELETE_FILE = `delete from files where id = $1`;

/** $1: organization, $2: hash. */
export const FIND_FILE = `select id from files where organization_id = $1 and sha256 = $2`;

/** Which bytes are stored already. $1: organization, $2: hashes in hexadecimal digits. */
export const FIND_HASHES = `
  select encode(sha256, 'hex') sha256 from files
  where organization_id = $1 and sha256 = any(array(select decode(hash, 'hex') from unnest($2::text[]) hash))`;

/** The file with these bytes. It is locked until the transaction ends, so that the purge leaves it. $1: organization, $2: hash. */
export const KEEP_FILE = `select id, size from files where organization_id = $1 and sha256 = $2 for key share`;

/** Stores a small file, unless the organization has it. $1: id, $2: organization, $3: hash, $4: bytes. */
export const STORE_SMALL_FILE = `
  with made as (
    insert into files (id, organization_id, sha256, size) values ($1::uuid, $2::int, $3::bytea, length($4::bytea))
    on conflict (organization_id, sha256) do nothing
    returning id
  )
  insert into file_chunks (organization_id, file_id, position, bytes) select $2::int, id, 0, $4::bytea from made`;

/** Nothing refers to a file `f`. */
export const UNREFERENCED = `
  f.logo_since is null
  and not exists (select from uploads u where u.file_id = f.id) and not exists (select from attachments a where a.file_id = f.id)`;

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

/** What an organization $1 may store and stores. $2: the default of `files_mb`. */
export const FILE_SPACE = `
  select o.slug, coalesce((o.quotas->>'files_mb')::float8, $2) quota,
         (select coalesce(sum(f.size), 0)::float8 from files f where f.organization_id = o.id) used
  from organizations o where o.id = $1`;

/**
 * Notes in an occurrence what was fetched; no row: the file was just deleted. $1: occurrence, $2: organization, $3: hash, $4: position, $5: JSON.
 */
export const PIN_FILE = `
  with file as (
    select id from files where organization_id = $2::int and sha256 = $3::bytea for key share
  ), pinned as (
    update attachments a set file_id = file.id from file where a.occurrence_id = $1::uuid and a.position = $4::int returning a.file_id
  )
  update occurrences o
  set options = jsonb_set(o.options, array['attachments', ($4::int)::text], (o.options->'attachments'->($4::int)) - 'guess' || $5::jsonb)
  from pinned where o.id = $1::uuid
  returning pinned.file_id "fileId"`;

/** Counts a failure. $1: occurrence, $2: position. */
export const COUNT_TRY = `update attachments set tries = tries + 1 where occurrence_id = $1 and position = $2 returning tries`;
