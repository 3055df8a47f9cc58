/** Uploads that have not expired. $1: organization, $2: ids. */
export const FIND_UPLOADS = `
  select u.id, u.file_id "fileId", u.filename, u.content_type "contentType", f.size, encode(f.sha256, 'hex') sha256
  from uploads u join files f on f.id = u.file_id
  where u.organization_id = $1 and u.id = any($2::uuid[]) and u.expires_at > now()`;

/** The channels that an event may use. $1: event. */
export const CHANNELS_OF_EVENT = `
  select c.slug, c.type, c.config from channels c
  where c.enabled and c.id in (
    select t.channel_id from notifications n join templates t on t.notification_id = n.id where n.event_id = $1 and n.enabled)
  order by c.slug`;

/** Locks files until the transaction ends, so that the purge leaves them. $1: ids. */
export const KEEP_FILES = `select id from files where id = any($1::uuid[]) order by id for key share`;

/** The files that an occurrence carries. $1: occurrence, $2: organization, $3: files in order, null for one that is still to be fetched. */
export const ADD_ATTACHMENTS = `
  insert into attachments (occurrence_id, position, organization_id, file_id)
  select $1::uuid, place - 1, $2::int, id from unnest($3::uuid[]) with ordinality file(id, place)`;

/** A file of an occurrence that was fetched or stored. $1: slug of the organization, $2: occurrence, $3: position. */
export const FIND_LINKED = `
  select g.id "organizationId", f.id "fileId", f.size, o.options->'attachments'->($3::int)->>'filename' filename,
         o.options->'attachments'->($3::int)->>'content_type' "contentType"
  from organizations g
  join attachments a on a.organization_id = g.id and a.occurrence_id = $2 and a.position = $3
  join occurrences o on o.id = a.occurrence_id
  join files f on f.id = a.file_id
  where g.slug = $1`;

/** The same files for another occurrence. $1: occurrence, $2: the other one. */
export const COPY_ATTACHMENTS = `
  insert into attachments (occurrence_id, position, organization_id, file_id)
  select $2::uuid, position, organization_id, file_id from attachments where occurrence_id = $1::uuid`;
