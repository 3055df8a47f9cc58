import type { Pool } from 'pg';

/** Puts messages into a user's inbox without any pipeline, so that nobody is told; answers their ids. */
export async function fillInbox(
  pool: Pick<Pool, 'query'>,
  email: string,
  count: number,
  org: string | null = null,
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with who as (
       select u.id, u.organization_id, (select min(id) from events e where e.organization_id = u.organization_id) event_id
       from users u join organizations o on o.id = u.organization_id where u.email = $1 and ($3::text is null or o.slug = $3)
     ), occurrence as (
       insert into occurrences (id, organization_id, event_id, context, options)
       select gen_random_uuid(), organization_id, event_id, '{}', '{}' from who returning id
     ), made as (
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select occurrence.id, who.organization_id, n, 0, who.id, 'sent' from who, occurrence, generate_series(1, $2::int) n
       returning id, organization_id, user_id
     )
     insert into inbox_messages (organization_id, user_id, delivery_id, subject, text, html)
     select organization_id, user_id, id, 'Subject ' || id, 'Text', '' from made returning id`,
    [email, count, org],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
