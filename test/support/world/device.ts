import type { ClientBase, Pool } from 'pg';

interface GivenDevice {
  org?: string;
  username?: string;
  bundle?: string;
  device?: string;
}

/** Gives a user a device, with an address of its own. */
export async function addDevice(
  client: Pick<Pool | ClientBase, 'query'>,
  { org, username, bundle, device }: GivenDevice,
): Promise<void> {
  const sql = `
    with address as (
      insert into addresses (organization_id, user_id, name, value, seen_at)
      select o.id, u.id, 'fcm', concat_ws('-', 'token', $3::text, $4::text), now()
      from organizations o join users u on u.organization_id = o.id where o.slug = $1 and u.email = $2
      returning *
    )
    insert into devices (organization_id, user_id, address_id, app, device, platform, address_hash)
    select organization_id, user_id, id, $3, $4, 'android', sha256(convert_to(name || E'\\n' || value, 'UTF8')) from address`;
  await client.query(sql, [org, username, bundle, device]);
}
