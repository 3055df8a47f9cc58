import { suppresses } from '../../platform/field/email.js';
import { AS_BOUNCE } from '../outcome/suppress.sql.js';
import type { Addition } from '../outcome/outcomes.sql.js';

/** The most devices that a message goes to. A user cannot have more. */
const MAX_DEVICES = 20;

/**
 * The devices of some users with an address of one kind, those that were seen last first. JSON instead of arrays, see `MUST_STOP`. $1: users, each with
 * the project of the event, $2: organization, $3: the kind.
 */
export const LOAD_DEVICES = `
  select t.place::int, v.*
  from rows from (jsonb_to_recordset($1::jsonb) as ("user" int, project int)) with ordinality t(owner, project, place)
  cross join lateral (
    select d.id, d.app, d.device, d.platform, d.name, d.environment, d.problem, d.last_seen_at "seenAt", a.id "addressId", a.value address,
           exists (select from suppressions x
                   where ${suppresses('x', { organization: '$2', project: 't.project', addressKind: '$3', address: 'a.value' })}) "isSuppressed"
    from devices d join addresses a on a.id = d.address_id
    where d.user_id = t.owner and d.organization_id = $2 and a.name = $3
    order by d.last_seen_at desc, d.id limit ${MAX_DEVICES}
  ) v`;

/** Notes what devices took of a message that is still being sent to others. $1: delivery, $2: the results, $3: attempts before. */
export const NOTE_RESULTS = `
  update deliveries set devices = $2 where id = $1 and attempts = $3 and status = 'pending'`;

/**
 * Removes devices that are gone, and sets others aside. Not one that was registered since its message was sent: the app knows better. Locks the addresses
 * first, as a registration does, and in order.
 */
export const dropDevices: Addition = {
  name: 'drop-devices',
  concerns: ({ dropped }) => dropped !== undefined,
  values: [],
  fromResults: (results) =>
    JSON.stringify(
      results.flatMap(({ id, dropped }) => (dropped ?? []).map((device) => ({ delivery: id, ...device }))),
    ),
  last: 'gone_devices',
  tables: (dropped) => `dropped as materialized (
    select a.id, r.problem
    from jsonb_to_recordset(${dropped}::jsonb) r(delivery bigint, address int, value text, problem text, "seenAt" timestamptz)
    join done d on d.id = r.delivery
    join addresses a on a.id = r.address and a.user_id = d.user_id and a.value = r.value
    join devices v on v.address_id = a.id and v.last_seen_at <= r."seenAt"
    order by a.id for update of a
  ), gone_devices as (
    delete from addresses a using dropped r, ${AS_BOUNCE} where a.id = r.id and r.problem is null returning a.id
  ), set_aside as (
    update devices v set problem = r.problem from dropped r, ${AS_BOUNCE} where v.address_id = r.id and r.problem is not null
  )`,
};
