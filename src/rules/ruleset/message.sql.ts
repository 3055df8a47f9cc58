/** Slugs and names of an event `e`, its application `a`, project `p` and organization `g`. */
export const NAMES = `
         json_build_object('slug', e.slug, 'name', e.name) event,
         json_build_object('slug', a.slug, 'name', a.name) application,
         json_build_object('slug', p.slug, 'name', p.name) project,
         json_build_object('slug', g.slug, 'name', g.name) organization`;

/** The columns that a message needs of a user `u` and the user's address `a`. */
export const RECIPIENT_COLUMNS = `
         a.value address, a.seen_at is not null "isDevice", u.email, u.first_name "firstName", u.last_name "lastName", u.locked, u.custom_fields "customFields",
         u.locale, u.time_zone "timeZone"`;
