import { jsonBytes, nextRows, withinBytes } from '../prisma/next-rows.js';

export const LIST_AUDIT_ENTRIES = withinBytes(`
  select id, at, key_id "keyId", actor, request_id "requestId", verb, noun, name, count, changes,
         ${jsonBytes('changes')} bytes
  from audit_entries where ${nextRows('organization_id')}`);
