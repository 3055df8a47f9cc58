-- The priority `critical` needs a permission of its own from now on. Keys that could trigger or replay with it before still can.
UPDATE "api_keys" SET "permissions" = array_append("permissions", 'event:trigger-critical')
WHERE "permissions" && ARRAY['event:trigger', 'occurrence:write'] AND NOT "permissions" @> ARRAY['event:trigger-critical'];
