import type { Pool } from 'pg';

/** Gives the event of a `Tenant` a category. */
export async function giveCategory(pool: Pool, org: string, byDefault = 'on', channels: object = {}): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with place as (
       select e.id event, e.organization_id, a.project_id from events e join applications a on a.id = e.application_id
       join organizations o on o.id = e.organization_id where o.slug = $1
     ), category as (
       insert into categories (organization_id, project_id, slug, name, description, "default", channels)
       select organization_id, project_id, 'news', 'News & offers', 'What is new in the shop', $2::text::category_default, $3 from place
       on conflict (project_id, slug) do update set "default" = excluded."default", channels = excluded.channels
       returning id
     )
     update events e set category_id = category.id from category, place where e.id = place.event returning category_id id`,
    [org, byDefault, channels],
  );
  return rows[0]!.id;
}
