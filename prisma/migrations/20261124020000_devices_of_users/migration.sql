-- AlterTable
ALTER TABLE "addresses" ADD COLUMN     "seen_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "devices" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "address_id" INTEGER NOT NULL,
    "app" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "environment" TEXT,
    "address_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "locale" TEXT,
    "time_zone" TEXT,
    "app_version" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "devices_address_id_user_id_key" ON "devices"("address_id", "user_id");

-- CreateIndex
CREATE INDEX "devices_user_id_last_seen_at_idx" ON "devices"("user_id", "last_seen_at");

-- CreateIndex
CREATE INDEX "devices_last_seen_at_idx" ON "devices"("last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "devices_organization_id_app_device_key" ON "devices"("organization_id", "app", "device");

-- CreateIndex
CREATE UNIQUE INDEX "devices_organization_id_address_hash_key" ON "devices"("organization_id", "address_hash");

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_address_id_user_id_fkey" FOREIGN KEY ("address_id", "user_id") REFERENCES "addresses"("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER audit_insert AFTER INSERT ON devices REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('device');
CREATE TRIGGER audit_update AFTER UPDATE ON devices REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('device');
CREATE TRIGGER audit_delete AFTER DELETE ON devices REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('device');

CREATE OR REPLACE FUNCTION audit_person_of(noun text, r jsonb) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE noun WHEN 'user' THEN r->>'id' WHEN 'address' THEN r->>'user_id' WHEN 'member' THEN r->>'user_id'
                    WHEN 'preference' THEN r->>'user_id' WHEN 'device' THEN r->>'user_id' END)::int
$$;

CREATE OR REPLACE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'address' THEN coalesce((SELECT email || '/' || (r->>'name') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'device' THEN coalesce((SELECT email || '/' || (r->>'app') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'member' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    -- Ends with the person: then a redaction keeps what the choice was about.
    WHEN 'preference' THEN concat_ws('/', (SELECT slug FROM categories WHERE id = (r->>'category_id')::int), nullif(r->>'channel_type', ''),
                                     coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r))))
    WHEN 'suppression' THEN concat_ws('/', r->>'name', r->>'value')
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name')
  END
$$;

-- When a device was last seen is no news. What reaches a device is not shown: whoever has it, and the keys of a channel, can send to the device. Its
-- digest tells that it has changed.
CREATE OR REPLACE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'takes_recipients', 'created_at', 'email_key', 'name_key',
                   'value_key', 'chosen_at', 'seen_at', 'last_seen_at', 'address_hash']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
         || CASE WHEN r ? 'user_id' AND r ? 'value' AND r->>'name' IN ('fcm', 'apns', 'webpush')
                 THEN jsonb_build_object('value', 'sha256:' || left(encode(sha256(convert_to(r->>'value', 'UTF8')), 'hex'), 12))
                 ELSE '{}' END
$$;
