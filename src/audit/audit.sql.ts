import { nextRows } from '../prisma/next-rows.js';

export const LIST_AUDIT_ENTRIES = `
  select id, at, key_id "keyId", actor, request_id "requestId", verb, noun, name, count, changes
  from audit_entries where ${nextRows('organization_id')}`;
