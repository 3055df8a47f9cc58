-- Whom a notification means, instead of its lists and audience: "recipients", or {"context": "customer.email"}.
ALTER TABLE "notifications" ADD COLUMN "send_to" JSONB;

-- Whether a notification of the event means the recipients of the trigger. Written together with the ruleset.
ALTER TABLE "events" ADD COLUMN "takes_recipients" BOOLEAN NOT NULL DEFAULT false;

-- Derived from the notifications, as ruleset_id is: not a change of the event.
CREATE OR REPLACE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'takes_recipients', 'created_at', 'email_key', 'name_key',
                   'value_key', 'chosen_at']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
$$;
