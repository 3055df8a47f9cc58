import { DeliveryStatus } from '../../platform/database/generated/prisma/enums.js';

const COUNTS = Object.values(DeliveryStatus).map(
  (status) => `count(d.id) filter (where d.status = '${status}')::int ${status}`,
);

/** $1 occurrence, $2 organization. */
export const LOAD_PROGRESS = `
  select o.status, count(d.id)::int total, ${COUNTS.join(', ')}
  from occurrences o left join deliveries d on d.occurrence_id = o.id
  where o.id = $1 and o.organization_id = $2
  group by o.id`;
