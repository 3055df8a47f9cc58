import { NAMES } from '../../rules/ruleset/message.sql.js';
import { MAX_SHOWN, MAX_SHOWN_BYTES } from './closed-digest.js';

/**
 * The first messages that digests of categories carry, in order: as many as templates see of any digest. $1: the occurrences of the digests.
 */
export const LOAD_ENTRIES = `
  select i.carrier, i.notification, o.id occurrence, o.created_at "createdAt", o.context, o.ruleset_id "rulesetId", o.options->>'locale' locale, ${NAMES}
  from unnest($1::uuid[]) c(id)
  cross join lateral (
    select c.id carrier, d.id, d.notification_id notification, d.occurrence_id, row_number() over (order by d.id) place,
           sum(length(x.context::text)) over (order by d.id) bytes
    from deliveries k join deliveries d on d.carried_by = k.id join occurrences x on x.id = d.occurrence_id
    where k.occurrence_id = c.id
  ) i
  join occurrences o on o.id = i.occurrence_id
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = o.organization_id
  where i.place = 1 or (i.place <= ${MAX_SHOWN} and i.bytes <= ${MAX_SHOWN_BYTES})
  order by i.id`;
