-- As with the other kinds of addresses of devices, the audit log does not show what reaches a device. The list of kinds is the only change.
CREATE OR REPLACE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'takes_recipients', 'created_at', 'email_key', 'name_key',
                   'value_key', 'chosen_at', 'seen_at', 'last_seen_at', 'address_hash']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
         || CASE WHEN r ? 'user_id' AND r ? 'value' AND r->>'name' IN ('fcm', 'apns', 'expo', 'webpush')
                 THEN jsonb_build_object('value', 'sha256:' || left(encode(sha256(convert_to(r->>'value', 'UTF8')), 'hex'), 12))
                 ELSE '{}' END
$$;
