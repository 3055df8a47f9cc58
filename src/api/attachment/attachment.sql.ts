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

/** The files that an occurrence carries. $1: occurrence, $2: organization, $3: files in order, null for one that is still to be fetched. */
export const ADD_ATTACHMENTS = `
  insert into attachments (occurrence_id, position, organization_id, file_id)
  select $1::uuid, place - 1, $2::int, id from unnest($3::uuid[]) with ordinality file(id, place)`;

/** The same files for another occurrence. $1: occurrence, $2: the other one. */
export const COPY_ATTACHMENTS = `
  insert into attachments (occurrence_id, position, organization_id, file_id)
  select $2::uuid, position, organization_id, file_id from attachments where occurrence_id = $1::uuid`;
