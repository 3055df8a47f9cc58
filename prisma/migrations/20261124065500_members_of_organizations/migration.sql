-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "member_id" INTEGER;

-- CreateTable
CREATE TABLE "organization_members" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "name" TEXT,
    "role" TEXT NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "signed_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "organization_members_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "organization_members_email_key_idx" ON "organization_members"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "organization_members_id_organization_id_key" ON "organization_members"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "organization_members_organization_id_email_key_key" ON "organization_members"("organization_id", "email_key");

-- AddForeignKey
-- Validated in concurrently.sql, where the index of the column is built, too.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_member_id_organization_id_fkey" FOREIGN KEY ("member_id", "organization_id") REFERENCES "organization_members"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER audit_insert AFTER INSERT ON organization_members REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('organization member');
CREATE TRIGGER audit_update AFTER UPDATE ON organization_members REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('organization member');
CREATE TRIGGER audit_delete AFTER DELETE ON organization_members REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('organization member');

-- Before their project, while the path above them is still there. The members of the project are the only change.
CREATE OR REPLACE TRIGGER audit_children_first BEFORE DELETE ON projects FOR EACH ROW
  EXECUTE FUNCTION audit_children_first('applications', 'project_id', 'categories', 'project_id', 'distribution_lists', 'project_id',
    'channels', 'project_id', 'layouts', 'project_id', 'partials', 'project_id', 'api_keys', 'project_id', 'organization_members', 'project_id');

-- A member of an organization is called by the e-mail: the name may be missing. That is the only change.
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
    WHEN 'organization member' THEN r->>'email'
    ELSE coalesce(r->>'slug', r->>'name')
  END
$$;

-- The project of a member is news, because it is a part of the role; signing in is not: the log has an entry for each session. The person of a
-- session tells which member it is.
CREATE OR REPLACE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'takes_recipients', 'created_at', 'email_key', 'name_key',
                   'value_key', 'chosen_at', 'seen_at', 'last_seen_at', 'address_hash', 'member_id', 'signed_in_at']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
         || CASE WHEN r ? 'invited_by' THEN jsonb_build_object('project', r->'project_id') ELSE '{}' END
         || CASE WHEN r ? 'user_id' AND r ? 'value' AND r->>'name' IN ('fcm', 'apns', 'expo', 'webpush')
                 THEN jsonb_build_object('value', 'sha256:' || left(encode(sha256(convert_to(r->>'value', 'UTF8')), 'hex'), 12))
                 ELSE '{}' END
$$;

CREATE OR REPLACE FUNCTION audit_shown(field text, value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN value = 'null' OR value IS NULL THEN 'null'
              WHEN field IN ('fallback_id', 'channel_id') THEN coalesce((SELECT to_jsonb(slug) FROM channels WHERE id = value::int), value)
              WHEN field = 'category_id' THEN coalesce((SELECT to_jsonb(slug) FROM categories WHERE id = value::int), value)
              WHEN field = 'project' THEN coalesce((SELECT to_jsonb(slug) FROM projects WHERE id = value::int), value)
              WHEN field = 'secret' OR (field LIKE 'config.%' AND jsonb_typeof(value) = 'object') THEN '"***"'
              ELSE value END
$$;
