-- The migrations of version 0.1.0, which the baseline replaces. Each section runs on its own.

-- section 20261115013138_the_contract_on_a_real_database/migration.sql
-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "organizations" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "applications" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "config" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "locked" BOOLEAN NOT NULL DEFAULT false,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "addresses" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "addresses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "distribution_lists" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "distribution_lists_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "list_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "address_id" INTEGER NOT NULL,
    "channel_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER,
    "project_id" INTEGER,
    "application_id" INTEGER,
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occurrences" (
    "id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "context" JSONB NOT NULL,
    "options" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "occurrences_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "event_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "occurrence_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("event_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "organizations_slug_key" ON "organizations"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "projects_organization_id_slug_key" ON "projects"("organization_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "projects_id_organization_id_key" ON "projects"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "applications_project_id_slug_key" ON "applications"("project_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "applications_id_organization_id_key" ON "applications"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "applications_id_project_id_key" ON "applications"("id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_application_id_slug_key" ON "events"("application_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "events_id_organization_id_key" ON "events"("id", "organization_id");

-- CreateIndex
CREATE INDEX "channels_organization_id_idx" ON "channels"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "channels_project_id_slug_key" ON "channels"("project_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "channels_id_organization_id_key" ON "channels"("id", "organization_id");

-- CreateIndex
CREATE INDEX "users_organization_id_id_idx" ON "users"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_organization_id_email_key_key" ON "users"("organization_id", "email_key");

-- CreateIndex
CREATE UNIQUE INDEX "users_id_organization_id_key" ON "users"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "addresses_user_id_name_value_key" ON "addresses"("user_id", "name", "value");

-- CreateIndex
CREATE UNIQUE INDEX "addresses_id_user_id_key" ON "addresses"("id", "user_id");

-- CreateIndex
CREATE INDEX "distribution_lists_project_id_id_idx" ON "distribution_lists"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "distribution_lists_project_id_name_key_key" ON "distribution_lists"("project_id", "name_key");

-- CreateIndex
CREATE UNIQUE INDEX "distribution_lists_id_organization_id_key" ON "distribution_lists"("id", "organization_id");

-- CreateIndex
CREATE INDEX "members_list_id_id_idx" ON "members"("list_id", "id");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE INDEX "members_channel_id_idx" ON "members"("channel_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_list_id_address_id_key" ON "members"("list_id", "address_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_organization_id_idx" ON "api_keys"("organization_id");

-- CreateIndex
CREATE INDEX "occurrences_event_id_id_idx" ON "occurrences"("event_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_keys_occurrence_id_key" ON "idempotency_keys"("occurrence_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_application_id_organization_id_fkey" FOREIGN KEY ("application_id", "organization_id") REFERENCES "applications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "distribution_lists" ADD CONSTRAINT "distribution_lists_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_list_id_organization_id_fkey" FOREIGN KEY ("list_id", "organization_id") REFERENCES "distribution_lists"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_address_id_user_id_fkey" FOREIGN KEY ("address_id", "user_id") REFERENCES "addresses"("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_channel_id_organization_id_fkey" FOREIGN KEY ("channel_id", "organization_id") REFERENCES "channels"("id", "organization_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_application_id_project_id_fkey" FOREIGN KEY ("application_id", "project_id") REFERENCES "applications"("id", "project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occurrences" ADD CONSTRAINT "occurrences_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_occurrence_id_fkey" FOREIGN KEY ("occurrence_id") REFERENCES "occurrences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma cannot say. The drift check passes over objects that carry such a comment.

-- The slugs of an organization's own channels: NULL project ids are distinct to the unique index above.
CREATE UNIQUE INDEX "channels_organization_id_slug_key" ON "channels"("organization_id", "slug") WHERE "project_id" IS NULL;
COMMENT ON INDEX "channels_organization_id_slug_key" IS 'not in schema.prisma: partial';

-- MATCH SIMPLE foreign keys do not look at a row with a NULL among their columns, so a key must name all its parents.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parents_check" CHECK (
  ("project_id" IS NULL OR "organization_id" IS NOT NULL) AND ("application_id" IS NULL OR "project_id" IS NOT NULL)
);
COMMENT ON CONSTRAINT "api_keys_parents_check" ON "api_keys" IS 'not in schema.prisma: check';

-- section 20261115021928_rules_deliveries_and_the_inbox/migration.sql
-- CreateEnum
CREATE TYPE "occurrence_status" AS ENUM ('pending', 'expanding', 'expanded');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'sent', 'skipped', 'dead');

-- CreateEnum
CREATE TYPE "gate" AS ENUM ('inactive', 'locked', 'no_address', 'channel_disabled', 'expired');

-- CreateEnum
CREATE TYPE "attempt_outcome" AS ENUM ('sent', 'rejected', 'retry');

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "ruleset_id" INTEGER;

-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN     "checkpoint" JSONB,
ADD COLUMN     "decisions" JSONB,
ADD COLUMN     "ruleset_id" INTEGER,
DROP COLUMN "status",
ADD COLUMN     "status" "occurrence_status" NOT NULL DEFAULT 'pending';

-- CreateTable
CREATE TABLE "notifications" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "when" TEXT,
    "audience" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_lists" (
    "organization_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "list_id" INTEGER NOT NULL,

    CONSTRAINT "notification_lists_pkey" PRIMARY KEY ("notification_id","list_id")
);

-- CreateTable
CREATE TABLE "templates" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "subject" TEXT,
    "text" TEXT,
    "html" TEXT,
    "markdown" TEXT,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rulesets" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rulesets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" BIGSERIAL NOT NULL,
    "occurrence_id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "address_id" INTEGER,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "status" "delivery_status" NOT NULL,
    "gate" "gate",
    "next_attempt_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "delivery_id" BIGINT NOT NULL,
    "number" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "outcome" "attempt_outcome" NOT NULL,
    "answer" TEXT NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "inbox_messages" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbox_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notifications_event_id_name_key" ON "notifications"("event_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_id_organization_id_key" ON "notifications"("id", "organization_id");

-- CreateIndex
CREATE INDEX "notification_lists_list_id_idx" ON "notification_lists"("list_id");

-- CreateIndex
CREATE INDEX "templates_channel_id_idx" ON "templates"("channel_id");

-- CreateIndex
CREATE UNIQUE INDEX "templates_notification_id_channel_id_key" ON "templates"("notification_id", "channel_id");

-- CreateIndex
CREATE INDEX "rulesets_event_id_idx" ON "rulesets"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "rulesets_id_organization_id_key" ON "rulesets"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_occurrence_id_notification_id_channel_id_user_id_key" ON "deliveries"("occurrence_id", "notification_id", "channel_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_messages_delivery_id_key" ON "inbox_messages"("delivery_id");

-- CreateIndex
CREATE INDEX "inbox_messages_user_id_id_idx" ON "inbox_messages"("user_id", "id");

-- CreateIndex
CREATE INDEX "members_list_id_user_id_idx" ON "members"("list_id", "user_id");

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_ruleset_id_organization_id_fkey" FOREIGN KEY ("ruleset_id", "organization_id") REFERENCES "rulesets"("id", "organization_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_lists" ADD CONSTRAINT "notification_lists_notification_id_organization_id_fkey" FOREIGN KEY ("notification_id", "organization_id") REFERENCES "notifications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_lists" ADD CONSTRAINT "notification_lists_list_id_organization_id_fkey" FOREIGN KEY ("list_id", "organization_id") REFERENCES "distribution_lists"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_notification_id_organization_id_fkey" FOREIGN KEY ("notification_id", "organization_id") REFERENCES "notifications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_channel_id_organization_id_fkey" FOREIGN KEY ("channel_id", "organization_id") REFERENCES "channels"("id", "organization_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rulesets" ADD CONSTRAINT "rulesets_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_occurrence_id_fkey" FOREIGN KEY ("occurrence_id") REFERENCES "occurrences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- section 20261115042636_steer_explain_and_purge/migration.sql
-- AlterEnum
ALTER TYPE "occurrence_status" ADD VALUE 'canceled';
ALTER TYPE "occurrence_status" ADD VALUE 'failed';

-- AlterEnum
ALTER TYPE "gate" ADD VALUE 'canceled';

-- DropForeignKey
ALTER TABLE "inbox_messages" DROP CONSTRAINT "inbox_messages_delivery_id_fkey";

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "retention_days" INTEGER;

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "fallback_id" INTEGER;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "attempts_before" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "fallback_of" BIGINT,
ADD COLUMN     "pending_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "lot" BIGINT,
ADD COLUMN     "template_channel_id" INTEGER;

-- AlterTable
ALTER TABLE "inbox_messages" ALTER COLUMN "delivery_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN     "canceled_at" TIMESTAMPTZ(3),
ADD COLUMN     "expanded_at" TIMESTAMPTZ(3),
ADD COLUMN     "problem" TEXT;

-- CreateTable
CREATE TABLE "status_webhooks" (
    "application_id" INTEGER NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "outcomes" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "status_webhooks_pkey" PRIMARY KEY ("application_id")
);

-- CreateTable
CREATE TABLE "channel_states" (
    "channel_id" INTEGER NOT NULL,
    "next_send_at" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "probe_at" TIMESTAMPTZ(3),

    CONSTRAINT "channel_states_pkey" PRIMARY KEY ("channel_id")
);

-- CreateTable
CREATE TABLE "messages" (
    "delivery_id" BIGINT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "status_webhooks_application_id_organization_id_key" ON "status_webhooks"("application_id", "organization_id");

-- CreateIndex
CREATE INDEX "channels_fallback_id_idx" ON "channels"("fallback_id");

-- AddForeignKey
ALTER TABLE "status_webhooks" ADD CONSTRAINT "status_webhooks_application_id_organization_id_fkey" FOREIGN KEY ("application_id", "organization_id") REFERENCES "applications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_fallback_id_organization_id_fkey" FOREIGN KEY ("fallback_id", "organization_id") REFERENCES "channels"("id", "organization_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_states" ADD CONSTRAINT "channel_states_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Which delivery stands in for another: few have one, and all others cost nothing.
CREATE INDEX "deliveries_fallback_of_idx" ON "deliveries"("fallback_of") WHERE "fallback_of" IS NOT NULL;
COMMENT ON INDEX "deliveries_fallback_of_idx" IS 'not in schema.prisma: partial';

-- section 20261115135606_switches_and_ceiling/migration.sql
-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "enabled" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "enabled" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "max_recipients" INTEGER;

-- section 20261115140304_audit/migration.sql
-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "organization_id" INTEGER,
    "key_id" INTEGER,
    "actor" TEXT NOT NULL,
    "request_id" TEXT,
    "verb" TEXT NOT NULL,
    "noun" TEXT NOT NULL,
    "name" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "changes" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_id_idx" ON "audit_entries"("organization_id", "id");

-- Whoever writes, and by whatever way, leaves an entry: the database itself notes it. Who it was stands in the setting
-- `carillon.by` of the transaction, as {"key", "actor", "request"}; without it, it was the database's own user.

-- Where a row stands below its organization, as far as that still exists when a whole branch is deleted.
CREATE FUNCTION audit_place(r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', p.slug, a.slug, e.slug, n.name, l.name)
  FROM (SELECT) nothing
  LEFT JOIN notifications n ON n.id = (r->>'notification_id')::int
  LEFT JOIN events e ON e.id = coalesce((r->>'event_id')::int, n.event_id)
  LEFT JOIN applications a ON a.id = coalesce((r->>'application_id')::int, e.application_id)
  LEFT JOIN distribution_lists l ON l.id = (r->>'list_id')::int AND n.id IS NULL
  LEFT JOIN projects p ON p.id = coalesce((r->>'project_id')::int, a.project_id, l.project_id)
$$;

-- What a person calls the row.
CREATE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'address' THEN concat_ws('/', (SELECT email FROM users WHERE id = (r->>'user_id')::int), r->>'name')
    WHEN 'member' THEN (SELECT email FROM users WHERE id = (r->>'user_id')::int)
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name', r->>'email')
  END
$$;

-- A row's fields one by one, without what is derived or no news. Secrets are still in it: they must be compared.
CREATE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'created_at', 'email_key', 'name_key']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
$$;

CREATE FUNCTION audit_shown(field text, value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN value = 'null' OR value IS NULL THEN 'null'
              WHEN field IN ('fallback_id', 'channel_id') THEN coalesce((SELECT to_jsonb(slug) FROM channels WHERE id = value::int), value)
              WHEN field = 'secret' OR (field LIKE 'config.%' AND jsonb_typeof(value) = 'object') THEN '"***"'
              ELSE value END
$$;

-- {"field": [before, after]} of what differs; none: nothing does.
CREATE FUNCTION audit_changes(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(regexp_replace(key, '^(fallback|channel)_id$', '\1'), jsonb_build_array(audit_shown(key, b.value), audit_shown(key, a.value)))
  FROM jsonb_each(audit_fields(before)) b FULL JOIN jsonb_each(audit_fields(after)) a USING (key)
  WHERE coalesce(b.value, 'null') IS DISTINCT FROM coalesce(a.value, 'null')
$$;

CREATE FUNCTION audit_by() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('carillon.by', true), '')::jsonb
$$;

-- Of rows that were changed together, one entry for each up to twenty, and one for all of them beyond: a million people are one.
CREATE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, verb, noun, name, changes)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', verb, noun,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         c.changes
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE verb <> 'update' OR c.changes IS NOT NULL
  ORDER BY place
$$;

-- One entry without its fields: of many rows, or of what was done to an occurrence, whose table workers write all the time.
CREATE FUNCTION audit_note_as(verb text, noun text, owner int, name text, count bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, verb, noun, name, count)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', verb, noun, name, count
  FROM audit_by() by
$$;

-- Its argument is what a row is called. Three nearly equal branches: a statement sees the rows before, after, or both.
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noun text := TG_ARGV[0];
  owner text := CASE TG_TABLE_NAME WHEN 'organizations' THEN 'id' ELSE 'organization_id' END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_after LIMIT 21) few) THEN
      PERFORM audit_note('create', noun, array_agg((r->>owner)::int), array_agg(NULL::jsonb), array_agg(r))
      FROM (SELECT to_jsonb(t) r FROM changed_after t) changed HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('create', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_after t GROUP BY 1) owners;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_before LIMIT 21) few) THEN
      PERFORM audit_note('delete', noun, array_agg((r->>owner)::int), array_agg(r), array_agg(NULL::jsonb))
      FROM (SELECT to_jsonb(t) r FROM changed_before t) changed HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('delete', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_before t GROUP BY 1) owners;
    END IF;
  ELSE
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_after LIMIT 21) few) THEN
      PERFORM audit_note('update', noun, array_agg((a->>owner)::int), array_agg(b), array_agg(a))
      FROM (SELECT to_jsonb(t) a FROM changed_after t) afters
      JOIN (SELECT to_jsonb(t) b FROM changed_before t) befores
        ON coalesce(a->'id', a->'application_id') = coalesce(b->'id', b->'application_id') HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('update', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_after t GROUP BY 1) owners;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  audited record;
BEGIN
  FOR audited IN SELECT * FROM (VALUES
    ('organizations', 'organization'), ('projects', 'project'), ('applications', 'application'), ('events', 'event'),
    ('status_webhooks', 'status webhook'), ('channels', 'channel'), ('users', 'user'), ('addresses', 'address'),
    ('distribution_lists', 'distribution list'), ('members', 'member'), ('notifications', 'notification'),
    ('notification_lists', 'notification list'), ('templates', 'template'), ('api_keys', 'API key')
  ) t(name, noun) LOOP
    EXECUTE format('CREATE TRIGGER audit_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_before '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
  END LOOP;
END
$$;

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

-- section 20261115140330_paused_held_and_limited/migration.sql
-- CreateEnum
CREATE TYPE "switch" AS ENUM ('project', 'application', 'event', 'notification', 'channel');

-- AlterEnum
ALTER TYPE "occurrence_status" ADD VALUE 'held';

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "rate_limit" INTEGER;

-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN     "approved_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "paused_jobs" (
    "id" BIGSERIAL NOT NULL,
    "occurrence_id" UUID NOT NULL,
    "task" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "switch" "switch" NOT NULL,
    "switch_id" INTEGER NOT NULL,
    "paused_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "paused_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "paused_jobs_switch_switch_id_idx" ON "paused_jobs"("switch", "switch_id");

-- CreateIndex
CREATE UNIQUE INDEX "paused_jobs_occurrence_id_payload_key" ON "paused_jobs"("occurrence_id", "payload");

-- AddForeignKey
ALTER TABLE "paused_jobs" ADD CONSTRAINT "paused_jobs_occurrence_id_fkey" FOREIGN KEY ("occurrence_id") REFERENCES "occurrences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- section 20261115144714_keys_of_an_application/migration.sql
-- CreateIndex
CREATE INDEX "api_keys_application_id_idx" ON "api_keys"("application_id");

-- section 20261115234500_permission_to_trigger_critical/migration.sql
-- The priority `critical` needs a permission of its own from now on. Keys that could trigger or replay with it before still can.
UPDATE "api_keys" SET "permissions" = array_append("permissions", 'event:trigger-critical')
WHERE "permissions" && ARRAY['event:trigger', 'occurrence:write'] AND NOT "permissions" @> ARRAY['event:trigger-critical'];

-- section 20261116000000_jobs_of_our_own/migration.sql
-- CreateEnum
CREATE TYPE "job_state" AS ENUM ('ready', 'scheduled', 'running', 'paused');

-- CreateTable
CREATE TABLE "jobs" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "lane" TEXT NOT NULL DEFAULT '',
    "priority" SMALLINT NOT NULL DEFAULT 0,
    "state" "job_state" NOT NULL DEFAULT 'ready',
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "size" INTEGER NOT NULL DEFAULT 1,
    "payload" JSONB NOT NULL,
    "key" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "worker" BIGINT,
    "taken_at" TIMESTAMPTZ(3),
    "switch" "switch",
    "switch_id" INTEGER,
    "paused_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "jobs_key_key" ON "jobs"("key");

-- One index for each state, so that a million scheduled or paused jobs cost the ready ones nothing. Workers walk the first two from one
-- organization and lane to the next.
CREATE INDEX "jobs_ready_to_expand" ON "jobs" ("priority", "organization_id", "lane", "run_at") WHERE "state" = 'ready' AND "task" = 'expand';
CREATE INDEX "jobs_ready" ON "jobs" ("priority", "organization_id", "lane", "run_at") WHERE "state" = 'ready' AND "task" <> 'expand';
CREATE INDEX "jobs_scheduled" ON "jobs" ("run_at") WHERE "state" = 'scheduled';
CREATE INDEX "jobs_running" ON "jobs" ("worker") WHERE "state" = 'running';
CREATE INDEX "jobs_paused" ON "jobs" ("switch", "switch_id") WHERE "state" = 'paused';
COMMENT ON INDEX "jobs_ready_to_expand" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_ready" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_scheduled" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_running" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_paused" IS 'not in schema.prisma: partial';

-- Rows live for some milliseconds, and a worker that looks for a job has to skip the dead ones.
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 20000);

-- Whoever adds a job that is ready wakes the workers.
CREATE FUNCTION "notify_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('carillon_jobs', kind)
  FROM (SELECT DISTINCT CASE task WHEN 'expand' THEN 'expand' ELSE 'others' END kind FROM added WHERE state = 'ready') kinds;
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_of_jobs" AFTER INSERT ON "jobs" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_jobs"();

-- Moves the jobs of graphile-worker, which was the queue until now. Its workers must have stopped, so a locked job is a job of a worker
-- that has ended. A deliver job without a key had been replaced by another one. Each occurrence of an expand job gets a job of its own.
DO $move$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;

  CREATE TEMPORARY TABLE old_jobs ON COMMIT DROP AS
    SELECT j.id, t.identifier task, j.payload::jsonb payload, j.priority, j.run_at, j.attempts, j.key
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'expand' OR j.key IS NOT NULL;

  INSERT INTO jobs (task, organization_id, priority, state, run_at, payload)
  SELECT 'expand-one', o.organization_id, j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, jsonb_build_object('occurrence', o.id)
  FROM old_jobs j
  CROSS JOIN LATERAL jsonb_array_elements_text(j.payload->'occurrences') named(occurrence)
  JOIN occurrences o ON o.id = named.occurrence::uuid
  WHERE j.task = 'expand'
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, state, run_at, payload, attempts)
  SELECT 'deliver', o.organization_id, concat(j.payload->>'priority', ':', j.payload->>'channel'), j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, j.payload, j.attempts
  FROM old_jobs j JOIN occurrences o ON o.id = (j.payload->>'occurrence')::uuid
  WHERE j.task = 'deliver'
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, run_at, payload, key)
  SELECT j.task, o.organization_id, 'steer', j.priority, j.run_at, j.payload, concat(j.task, ':', o.id)
  FROM old_jobs j JOIN occurrences o ON o.id = (j.payload->>'occurrence')::uuid
  WHERE j.task IN ('cancel', 'retry')
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, state, run_at, payload)
  SELECT 'report', a.organization_id, concat('report:', a.id), j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, j.payload
  FROM old_jobs j JOIN applications a ON a.id = (j.payload->>'application')::int
  WHERE j.task = 'report'
  ORDER BY j.id;

  DROP SCHEMA graphile_worker CASCADE;
END $move$;

INSERT INTO jobs (task, organization_id, lane, priority, state, payload, switch, switch_id, paused_at)
SELECT CASE p.task WHEN 'expand' THEN 'expand-one' ELSE p.task END, o.organization_id,
       CASE p.task WHEN 'deliver' THEN concat(p.payload->>'priority', ':', p.payload->>'channel') ELSE '' END,
       CASE coalesce(p.payload->>'priority', o.options->>'priority') WHEN 'critical' THEN -10 WHEN 'bulk' THEN 10 ELSE 0 END,
       'paused', CASE p.task WHEN 'expand' THEN jsonb_build_object('occurrence', o.id) ELSE p.payload END, p.switch, p.switch_id, p.paused_at
FROM paused_jobs p JOIN occurrences o ON o.id = p.occurrence_id
ORDER BY p.id;

-- DropTable
DROP TABLE "paused_jobs";

-- section 20261116120000_new_occurrences_are_announced_after_their_commit/migration.sql
-- NOTIFY takes a lock of the whole server until its transaction is committed and on disk, so triggers waited for each other. The process
-- that stores occurrences now announces them after their commit, in a transaction of its own that waits for no disk.
CREATE OR REPLACE FUNCTION "notify_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE state = 'ready' AND task <> 'expand') THEN
    PERFORM pg_notify('carillon_jobs', 'others');
  END IF;
  RETURN NULL;
END $$;

-- section 20261116130000_one_post_per_room/migration.sql
-- CreateEnum
CREATE TYPE "per" AS ENUM ('room', 'person');

-- AlterTable
-- Templates that exist keep what they did: one message for each person, also over a room.
ALTER TABLE "templates" ADD COLUMN     "per" "per" NOT NULL DEFAULT 'person';

-- section 20261117010000_walls_inside_an_organization/migration.sql
-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "rate_limit_of" INTEGER;

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "application_id" INTEGER;

-- Messages whose occurrence was purged stay without an application: only keys of the whole organization see them.
UPDATE "inbox_messages" i SET "application_id" = e."application_id"
FROM "deliveries" d JOIN "occurrences" o ON o."id" = d."occurrence_id" JOIN "events" e ON e."id" = o."event_id"
WHERE d."id" = i."delivery_id";

-- section 20261118010000_rule_versions_and_quotas/migration.sql
-- Each version of a notification is stored once, and a ruleset refers to the versions it consists of. Before, each change of one
-- notification stored all notifications of its event again: 25 of them, with 0.9 MB each, took 286 MB.

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "rulesets" ADD COLUMN     "superseded_at" TIMESTAMPTZ(3),
ADD COLUMN     "versions" INTEGER[];

-- CreateTable
CREATE TABLE "rule_versions" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "rule" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "rule_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_usage" (
    "organization_id" INTEGER NOT NULL,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "measured_at" TIMESTAMPTZ(3),
    "is_near_quota" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "organization_usage_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "rule_versions_event_id_hash_key" ON "rule_versions"("event_id", "hash");

INSERT INTO "rule_versions" ("organization_id", "event_id", "hash", "rule", "bytes")
SELECT DISTINCT ON (s."event_id", h."hash") s."organization_id", s."event_id", h."hash", r."rule", octet_length(r."rule"::text)
FROM "rulesets" s, jsonb_array_elements(s."rules") r("rule"), LATERAL (SELECT sha256(convert_to(r."rule"::text, 'UTF8')) "hash") h;

-- With null in the old column, VACUUM frees the space of the old rules; a dropped column would keep it.
ALTER TABLE "rulesets" ALTER COLUMN "rules" DROP NOT NULL;
UPDATE "rulesets" s SET
  "versions" = ARRAY(
    SELECT v."id" FROM jsonb_array_elements(s."rules") WITH ORDINALITY r("rule", "place")
    JOIN "rule_versions" v ON v."event_id" = s."event_id" AND v."hash" = sha256(convert_to(r."rule"::text, 'UTF8'))
    ORDER BY r."place"),
  "rules" = NULL,
  "superseded_at" = CASE WHEN NOT EXISTS (SELECT FROM "events" e WHERE e."ruleset_id" = s."id") THEN now() END;

-- AlterTable
ALTER TABLE "rulesets" DROP COLUMN "rules";

-- CreateIndex
CREATE INDEX "events_ruleset_id_idx" ON "events"("ruleset_id");

-- CreateIndex
CREATE INDEX "occurrences_ruleset_id_idx" ON "occurrences"("ruleset_id");

-- The purge finds rulesets that may be unused. Most are in force, so they are not in the index.
CREATE INDEX "rulesets_superseded" ON "rulesets"("event_id", "superseded_at") WHERE "superseded_at" IS NOT NULL;
COMMENT ON INDEX "rulesets_superseded" IS 'not in schema.prisma: partial';

-- For the metric that counts them.
CREATE INDEX "organization_usage_near_quota" ON "organization_usage"("organization_id") WHERE "is_near_quota";
COMMENT ON INDEX "organization_usage_near_quota" IS 'not in schema.prisma: partial';

-- AddForeignKey
ALTER TABLE "rule_versions" ADD CONSTRAINT "rule_versions_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_usage" ADD CONSTRAINT "organization_usage_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- section 20261118030000_cascaded_deletions_have_their_path/migration.sql
-- PostgreSQL deletes the children of a row after the row itself, and then their audit entries could not name the parent: `ann@acme.test`
-- instead of `shop/Staff/ann@acme.test`. Here the children go first, while the path above them is still there. The arguments are pairs of
-- a table and its column, in an order in which no row is deleted that another row still refers to.
--
-- Organizations need no such trigger: a path begins below them. Users need none: see `audit_label`.
CREATE FUNCTION audit_children_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 0 .. TG_NARGS - 2 BY 2 LOOP
    -- With the organization: the keys of a project have no other index.
    EXECUTE format('DELETE FROM %I WHERE %I = $1 AND organization_id = $2', TG_ARGV[i], TG_ARGV[i + 1])
    USING OLD.id, OLD.organization_id;
  END LOOP;
  RETURN OLD;
END
$$;

CREATE TRIGGER audit_children_first BEFORE DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'applications', 'project_id', 'distribution_lists', 'project_id', 'channels', 'project_id', 'api_keys', 'project_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "applications" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'events', 'application_id', 'status_webhooks', 'application_id', 'api_keys', 'application_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'notifications', 'event_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "notifications" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'templates', 'notification_id', 'notification_lists', 'notification_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "distribution_lists" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'notification_lists', 'list_id', 'members', 'list_id');

-- section 20261118030100_audit_chain_and_redaction/migration.sql
-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "address" TEXT,
ADD COLUMN     "digest" BYTEA,
ADD COLUMN     "position" BIGINT,
ADD COLUMN     "salt" BYTEA,
ADD COLUMN     "seal" BYTEA,
ADD COLUMN     "user_id" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_organization_id_position_key" ON "audit_entries"("organization_id", "position");

CREATE INDEX "audit_entries_user_id_idx" ON "audit_entries"("user_id") WHERE "user_id" IS NOT NULL;
COMMENT ON INDEX "audit_entries_user_id_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "audit_entries_unsealed_idx" ON "audit_entries"("id") WHERE "position" IS NULL;
COMMENT ON INDEX "audit_entries_unsealed_idx" IS 'not in schema.prisma: partial';

DROP TRIGGER append_only ON "audit_entries";

-- The name of a person whose data is redacted.
CREATE FUNCTION audit_person(id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT format('[user %s]', id) $$;

CREATE FUNCTION audit_person_of(noun text, r jsonb) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE noun WHEN 'user' THEN r->>'id' WHEN 'address' THEN r->>'user_id' WHEN 'member' THEN r->>'user_id' END)::int
$$;

CREATE OR REPLACE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'address' THEN coalesce((SELECT email || '/' || (r->>'name') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'member' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name')
  END
$$;

-- The name of an entry about a person, without the person's e-mail. A member keeps the path of the list.
CREATE FUNCTION audit_redacted_name(name text, email text, id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN right(name, length(email) + 1) = '/' || email THEN left(name, -length(email)) || audit_person(id)
              WHEN right(name, length(audit_person(id)) + 1) = '/' || audit_person(id) THEN name
              ELSE audit_person(id) END
$$;

-- Keeps the names of the fields, and which of them were null.
CREATE FUNCTION audit_redacted_changes(changes jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, (SELECT jsonb_agg(CASE WHEN v = 'null' THEN v ELSE '"[redacted]"' END) FROM jsonb_array_elements(value) v))
  FROM jsonb_each(changes)
$$;

-- A person who is deleted is gone already here, and their addresses and memberships follow: these entries are redacted from the beginning.
CREATE OR REPLACE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, changes, user_id)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb, noun,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         CASE WHEN person IS NULL OR EXISTS (SELECT FROM users WHERE id = person) THEN c.changes ELSE audit_redacted_changes(c.changes) END,
         person
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_person_of(noun, coalesce(after, before)) person,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE verb <> 'update' OR c.changes IS NOT NULL
  ORDER BY place
$$;

CREATE OR REPLACE FUNCTION audit_note_as(verb text, noun text, owner int, name text, count bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, count)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb, noun, name, count
  FROM audit_by() by
$$;

-- The person of the entries so far. A person who is gone by now is redacted; their id is not known any more.
UPDATE audit_entries e SET user_id = u.id
FROM users u
WHERE u.organization_id = e.organization_id AND e.name IS NOT NULL
  AND u.email = CASE e.noun WHEN 'user' THEN e.name WHEN 'address' THEN split_part(e.name, '/', 1)
                            WHEN 'member' THEN substring(e.name FROM '[^/]*$') END;
UPDATE audit_entries
SET name = CASE noun WHEN 'member' THEN regexp_replace(name, '[^/]*$', '[deleted user]') ELSE '[deleted user]' END,
    changes = audit_redacted_changes(changes)
WHERE noun IN ('user', 'address', 'member') AND name IS NOT NULL AND user_id IS NULL;

-- Whoever deletes a person, and by whatever way: the log forgets their data in the same transaction.
CREATE FUNCTION audit_redact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_entries e
  SET name = audit_redacted_name(e.name, u.email, u.id), changes = audit_redacted_changes(e.changes), salt = NULL
  FROM changed_before u
  WHERE e.user_id = u.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER audit_redact AFTER DELETE ON "users" REFERENCING OLD TABLE AS changed_before
  FOR EACH STATEMENT EXECUTE FUNCTION audit_redact();

-- An entry is sealed once, and the details of a person who is gone may be redacted. Nothing else changes.
CREATE FUNCTION audit_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.seal IS NULL AND NEW.seal IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['position', 'salt', 'digest', 'seal'] = to_jsonb(OLD) - ARRAY['position', 'salt', 'digest', 'seal'] THEN
    RETURN NEW;
  END IF;
  IF NEW.salt IS NULL
    AND to_jsonb(NEW) - ARRAY['name', 'changes', 'salt'] = to_jsonb(OLD) - ARRAY['name', 'changes', 'salt']
    AND NEW.changes IS NOT DISTINCT FROM audit_redacted_changes(OLD.changes)
    AND right(NEW.name, length(audit_person(NEW.user_id))) = audit_person(NEW.user_id)
    AND NOT EXISTS (SELECT FROM users WHERE id = NEW.user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER append_only_update BEFORE UPDATE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION audit_refuse_update();

-- section 20261119000000_recipients_choose/migration.sql
-- CreateEnum
CREATE TYPE "category_default" AS ENUM ('on', 'off', 'required');

-- CreateEnum
CREATE TYPE "chosen_by" AS ENUM ('person', 'key', 'link');

-- CreateEnum
CREATE TYPE "suppression_cause" AS ENUM ('hard_bounce', 'complaint', 'stop', 'manual');

-- CreateEnum
CREATE TYPE "waits_for" AS ENUM ('quiet', 'window', 'digest');

-- AlterEnum


ALTER TYPE "gate" ADD VALUE 'opted_out';
ALTER TYPE "gate" ADD VALUE 'suppressed';
ALTER TYPE "gate" ADD VALUE 'capped';
ALTER TYPE "gate" ADD VALUE 'digested';

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "color" TEXT,
ADD COLUMN     "message_limit" JSONB,
ADD COLUMN     "quiet_hours" JSONB,
ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "category_id" INTEGER;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "quiet_hours" JSONB,
ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "digest" JSONB,
ADD COLUMN     "message_limit" JSONB,
ADD COLUMN     "send_window" JSONB;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "carried_by" BIGINT,
ADD COLUMN     "digest_id" BIGINT,
ADD COLUMN     "waits_for" "waits_for";

-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN     "digest" JSONB;

-- CreateTable
CREATE TABLE "categories" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "default" "category_default" NOT NULL DEFAULT 'on',
    "channels" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "preferences" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "category_id" INTEGER,
    "event_id" INTEGER,
    "channel_type" TEXT NOT NULL DEFAULT '',
    "is_on" BOOLEAN NOT NULL,
    "chosen_by" "chosen_by" NOT NULL,
    "chosen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "preferences_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "value_key" TEXT NOT NULL,
    "cause" "suppression_cause" NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "digests" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL DEFAULT '',
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "items" INTEGER NOT NULL DEFAULT 0,
    "settings" JSONB NOT NULL,

    CONSTRAINT "digests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_counts" (
    "organization_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL DEFAULT '',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "messages" INTEGER NOT NULL,

    CONSTRAINT "message_counts_pkey" PRIMARY KEY ("organization_id","notification_id","channel_id","user_id","key","since")
);

-- CreateIndex
CREATE UNIQUE INDEX "categories_project_id_slug_key" ON "categories"("project_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "categories_id_organization_id_key" ON "categories"("id", "organization_id");

-- CreateIndex
CREATE INDEX "preferences_category_id_idx" ON "preferences"("category_id");

-- CreateIndex
CREATE INDEX "preferences_event_id_idx" ON "preferences"("event_id");

-- CreateIndex
CREATE INDEX "suppressions_organization_id_id_idx" ON "suppressions"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_organization_id_name_value_key_cause_key" ON "suppressions"("organization_id", "name", "value_key", "cause");

-- CreateIndex
CREATE INDEX "digests_organization_id_due_at_idx" ON "digests"("organization_id", "due_at");

-- CreateIndex
CREATE UNIQUE INDEX "digests_notification_id_channel_id_user_id_key_key" ON "digests"("notification_id", "channel_id", "user_id", "key");

-- CreateIndex
CREATE INDEX "message_counts_since_idx" ON "message_counts"("since");

-- CreateIndex
CREATE INDEX "events_category_id_idx" ON "events"("category_id");

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_category_id_organization_id_fkey" FOREIGN KEY ("category_id", "organization_id") REFERENCES "categories"("id", "organization_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_category_id_organization_id_fkey" FOREIGN KEY ("category_id", "organization_id") REFERENCES "categories"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One choice for each thing that can be chosen.
CREATE UNIQUE INDEX "preferences_choice_key" ON "preferences"("user_id", coalesce("category_id", 0), coalesce("event_id", 0), "channel_type");
COMMENT ON INDEX "preferences_choice_key" IS 'not in schema.prisma: expressions';
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_about_check" CHECK (
  ("category_id" IS NULL OR "event_id" IS NULL) AND ("category_id" IS NOT NULL OR "event_id" IS NOT NULL OR "channel_type" <> ''));
COMMENT ON CONSTRAINT "preferences_about_check" ON "preferences" IS 'not in schema.prisma: check';

-- Small indexes: deliveries that wait for something else than an attempt, and people with quiet hours of their own.
CREATE INDEX "deliveries_digest_id_idx" ON "deliveries"("digest_id") WHERE "digest_id" IS NOT NULL;
COMMENT ON INDEX "deliveries_digest_id_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "deliveries_carried_by_idx" ON "deliveries"("carried_by") WHERE "carried_by" IS NOT NULL;
COMMENT ON INDEX "deliveries_carried_by_idx" IS 'not in schema.prisma: partial';
-- Without the status: with it, no change of a status could be a HOT update.
CREATE INDEX "deliveries_waiting_idx" ON "deliveries"("user_id") WHERE "waits_for" IS NOT NULL;
COMMENT ON INDEX "deliveries_waiting_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "users_quiet_hours_idx" ON "users"("organization_id") WHERE "quiet_hours" IS NOT NULL;
COMMENT ON INDEX "users_quiet_hours_idx" IS 'not in schema.prisma: partial';

-- A zone that this server does not know counts as UTC.
CREATE FUNCTION known_zone(zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END
$$;

-- What the clock of a zone shows, less UTC.
CREATE FUNCTION offset_of(at timestamptz, zone text) RETURNS interval LANGUAGE sql STABLE AS $$
  SELECT (at AT TIME ZONE zone) - (at AT TIME ZONE 'UTC')
$$;

-- Whether a local time lies in one of some weekly ranges. A range belongs to the day on which it begins. If it ends before it begins, it
-- ends on the next day.
CREATE FUNCTION in_ranges(local timestamp, ranges jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(bool_or(
           CASE WHEN r.starts < r.ends THEN today AND clock >= r.starts AND clock < r.ends
                ELSE today AND clock >= r.starts OR yesterday AND clock < r.ends END), false)
  FROM jsonb_array_elements(ranges) range,
       LATERAL (SELECT local::time clock, (range->>'from')::time starts, (range->>'to')::time ends, coalesce(range->'days', 'null') days,
                       ARRAY['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] names) r,
       LATERAL (SELECT days = 'null' OR days ? names[extract(isodow FROM local)::int] today,
                       days = 'null' OR days ? names[extract(isodow FROM local - interval '1 day')::int] yesterday) d
$$;

-- The first instant, from `at` on, that is outside all quiet ranges and inside the window, by the clock of the zone. If no such instant
-- comes within a week, the window yields: quiet hours are the person's own choice.
--
-- The candidates are the ends of quiet ranges and the beginnings of the window. Around a clock change a local time may happen twice, or not
-- at all, so each is tried with the offset of the day before and with that of the day after. The clock change itself, which happens at a full or
-- half hour, may end quiet hours or open the window too. What the clock shows decides.
CREATE FUNCTION first_allowed(at timestamptz, zone text, quiet jsonb, send_window jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  windows jsonb := CASE WHEN send_window IS NOT NULL THEN jsonb_build_array(send_window) END;
  found timestamptz;
BEGIN
  zone := known_zone(coalesce(zone, 'UTC'));
  IF NOT in_ranges(at AT TIME ZONE zone, quiet) AND (windows IS NULL OR in_ranges(at AT TIME ZONE zone, windows)) THEN
    RETURN at;
  END IF;
  WITH edges AS (
    SELECT range->>'to' clock FROM jsonb_array_elements(quiet) range UNION SELECT send_window->>'from' WHERE send_window IS NOT NULL
  ), days AS (
    SELECT midnight, offset_of((midnight - interval '1 day') AT TIME ZONE 'UTC', zone) before,
           offset_of((midnight + interval '2 days') AT TIME ZONE 'UTC', zone) after
    FROM generate_series(-1, 8) day, LATERAL (SELECT ((at AT TIME ZONE zone)::date + day)::timestamp midnight) m
  ), candidates AS (
    SELECT (midnight + clock::interval - shift) AT TIME ZONE 'UTC' instant
    FROM days, edges, LATERAL (SELECT before UNION SELECT after) shifts(shift)
    UNION ALL
    SELECT instant
    FROM days, LATERAL (SELECT (midnight + half * interval '30 minutes') AT TIME ZONE 'UTC' instant FROM generate_series(1, 48) half) h
    WHERE before <> after AND offset_of(instant - interval '1 minute', zone) <> offset_of(instant, zone)
  )
  SELECT min(instant) INTO found FROM candidates
  WHERE instant > at AND NOT in_ranges(instant AT TIME ZONE zone, quiet)
    AND (windows IS NULL OR in_ranges(instant AT TIME ZONE zone, windows));
  IF found IS NULL AND send_window IS NOT NULL THEN
    RETURN first_allowed(at, zone, quiet, NULL);
  END IF;
  RETURN coalesce(found, at);
END
$$;

-- When the minute, hour, day or week began, by the clock of the zone.
CREATE FUNCTION period_start(at timestamptz, per text, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc(per, at AT TIME ZONE known) AT TIME ZONE known FROM known_zone(zone) known
$$;

-- The audit log knows the new nouns.
CREATE OR REPLACE FUNCTION audit_person_of(noun text, r jsonb) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE noun WHEN 'user' THEN r->>'id' WHEN 'address' THEN r->>'user_id' WHEN 'member' THEN r->>'user_id'
                    WHEN 'preference' THEN r->>'user_id' END)::int
$$;

CREATE OR REPLACE FUNCTION audit_place(r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', p.slug, a.slug, e.slug, n.name, l.name)
  FROM (SELECT) nothing
  LEFT JOIN notifications n ON n.id = (r->>'notification_id')::int
  LEFT JOIN events e ON e.id = coalesce((r->>'event_id')::int, n.event_id)
  LEFT JOIN applications a ON a.id = coalesce((r->>'application_id')::int, e.application_id)
  LEFT JOIN distribution_lists l ON l.id = (r->>'list_id')::int AND n.id IS NULL
  -- A choice about a category; an event has a category too, which says nothing new about its place.
  LEFT JOIN categories c ON c.id = (r->>'category_id')::int AND r ? 'chosen_by'
  LEFT JOIN projects p ON p.id = coalesce((r->>'project_id')::int, a.project_id, l.project_id, c.project_id)
$$;

CREATE OR REPLACE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'address' THEN coalesce((SELECT email || '/' || (r->>'name') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
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

CREATE OR REPLACE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'created_at', 'email_key', 'name_key', 'value_key', 'chosen_at']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
$$;

CREATE OR REPLACE FUNCTION audit_shown(field text, value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN value = 'null' OR value IS NULL THEN 'null'
              WHEN field IN ('fallback_id', 'channel_id') THEN coalesce((SELECT to_jsonb(slug) FROM channels WHERE id = value::int), value)
              WHEN field = 'category_id' THEN coalesce((SELECT to_jsonb(slug) FROM categories WHERE id = value::int), value)
              WHEN field = 'secret' OR (field LIKE 'config.%' AND jsonb_typeof(value) = 'object') THEN '"***"'
              ELSE value END
$$;

CREATE OR REPLACE FUNCTION audit_changes(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(regexp_replace(key, '^(fallback|channel|category)_id$', '\1'), jsonb_build_array(audit_shown(key, b.value), audit_shown(key, a.value)))
  FROM jsonb_each(audit_fields(before)) b FULL JOIN jsonb_each(audit_fields(after)) a USING (key)
  WHERE coalesce(b.value, 'null') IS DISTINCT FROM coalesce(a.value, 'null')
$$;

DO $$
DECLARE
  audited record;
BEGIN
  FOR audited IN SELECT * FROM (VALUES ('categories', 'category'), ('preferences', 'preference'), ('suppressions', 'suppression')) t(name, noun) LOOP
    EXECUTE format('CREATE TRIGGER audit_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_before '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
  END LOOP;
END
$$;

DROP TRIGGER audit_children_first ON "projects";
CREATE TRIGGER audit_children_first BEFORE DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'applications', 'project_id', 'categories', 'project_id', 'distribution_lists', 'project_id', 'channels', 'project_id', 'api_keys', 'project_id');
DROP TRIGGER audit_children_first ON "events";
CREATE TRIGGER audit_children_first BEFORE DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'notifications', 'event_id', 'preferences', 'event_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "categories" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'preferences', 'category_id');

-- section 20261119020000_suppressions_have_lists/migration.sql
-- CreateIndex
CREATE INDEX "suppressions_organization_id_value_key_id_idx" ON "suppressions"("organization_id", "value_key", "id");

-- CreateIndex
CREATE INDEX "suppressions_organization_id_cause_id_idx" ON "suppressions"("organization_id", "cause", "id");

-- section 20261119020100_soft_failures/migration.sql
-- CreateTable
CREATE TABLE "soft_failures" (
    "organization_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value_key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "soft_failures_pkey" PRIMARY KEY ("organization_id","name","value_key")
);

-- AddForeignKey
ALTER TABLE "soft_failures" ADD CONSTRAINT "soft_failures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- section 20261120010000_users_are_found/migration.sql
-- For `?search=`. An import of people takes a third longer in the database with these four.
CREATE INDEX "users_email_prefix_idx" ON "users"("organization_id", "email_key" text_pattern_ops);
COMMENT ON INDEX "users_email_prefix_idx" IS 'not in schema.prisma: operator class';
CREATE INDEX "users_first_name_prefix_idx" ON "users"("organization_id", lower("first_name") text_pattern_ops);
COMMENT ON INDEX "users_first_name_prefix_idx" IS 'not in schema.prisma: expression';
CREATE INDEX "users_last_name_prefix_idx" ON "users"("organization_id", lower("last_name") text_pattern_ops);
COMMENT ON INDEX "users_last_name_prefix_idx" IS 'not in schema.prisma: expression';
CREATE INDEX "addresses_value_prefix_idx" ON "addresses"("organization_id", lower("value") text_pattern_ops);
COMMENT ON INDEX "addresses_value_prefix_idx" IS 'not in schema.prisma: expression';

-- section 20261120010100_deliveries_of_a_person/migration.sql
-- The deliveries of a person: docs/decisions/0017. Each 4 pages, about 330 rows, have a bloom filter of the people in them, of 410 bytes:
-- PostgreSQL tries to compress larger ones whenever a row is added. The service makes the summaries of new pages (`DeliveryIndex`).
CREATE INDEX "deliveries_of_user_idx" ON "deliveries" USING brin
  ("id" int8_minmax_ops, "user_id" int4_bloom_ops (n_distinct_per_range = 340, false_positive_rate = 0.01))
  WITH (pages_per_range = 4, autosummarize = off);
COMMENT ON INDEX "deliveries_of_user_idx" IS 'not in schema.prisma: BRIN';

-- section 20261120010200_audit_has_filters/migration.sql
-- CreateIndex
CREATE INDEX "audit_entries_organization_id_noun_id_idx" ON "audit_entries"("organization_id", "noun", "id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_actor_id_idx" ON "audit_entries"("organization_id", "actor", "id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_at_idx" ON "audit_entries"("organization_id", "at");

CREATE INDEX "audit_entries_name_prefix_idx" ON "audit_entries"("organization_id", "name" text_pattern_ops);
COMMENT ON INDEX "audit_entries_name_prefix_idx" IS 'not in schema.prisma: operator class';

-- section 20261120010300_what_needs_a_person/migration.sql
-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN "held_at" TIMESTAMPTZ(3);

UPDATE "occurrences" SET "held_at" = "created_at" WHERE "status" = 'held';

-- Neither index contains a status: with it, no change of a status could be a HOT update. They cost messages that are sent nothing.
CREATE INDEX "occurrences_held_idx" ON "occurrences"("organization_id", "event_id", "id") WHERE "held_at" IS NOT NULL;
COMMENT ON INDEX "occurrences_held_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "deliveries_dead_idx" ON "deliveries"("organization_id", "occurrence_id") WHERE "reason" IS NOT NULL;
COMMENT ON INDEX "deliveries_dead_idx" IS 'not in schema.prisma: partial';

-- section 20261120010400_revisions_in_order/migration.sql
-- DropIndex
DROP INDEX "rulesets_event_id_idx";

-- CreateIndex
CREATE INDEX "rulesets_event_id_id_idx" ON "rulesets"("event_id", "id");

-- section 20261120020000_sessions/migration.sql
-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "via" TEXT,
ADD COLUMN     "parent_id" INTEGER,
ADD COLUMN     "person" TEXT,
ADD COLUMN     "provider" TEXT;

-- CreateIndex
CREATE INDEX "api_keys_parent_id_idx" ON "api_keys"("parent_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few of the keys are sessions.
CREATE INDEX "api_keys_sessions" ON "api_keys"("organization_id") WHERE "via" IS NOT NULL;
COMMENT ON INDEX "api_keys_sessions" IS 'not in schema.prisma: partial';

-- A session has an end, and only a session has a parent, a person or a provider.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_session_check" CHECK (
  CASE WHEN "via" IS NULL THEN "parent_id" IS NULL AND "person" IS NULL AND "provider" IS NULL
       ELSE "via" IN ('key', 'link', 'oidc') AND "expires_at" IS NOT NULL END);
COMMENT ON CONSTRAINT "api_keys_session_check" ON "api_keys" IS 'not in schema.prisma: check';

-- Sessions are keys in this table only: the log calls them by their own name. A session that ended by itself is no news when it is purged.
CREATE OR REPLACE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, changes, user_id)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb,
         CASE WHEN coalesce(after, before)->>'via' IS NULL THEN noun
              WHEN coalesce(after, before)->>'last_used_at' IS NULL THEN 'sign-in link' ELSE 'session' END,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         CASE WHEN person IS NULL OR EXISTS (SELECT FROM users WHERE id = person) THEN c.changes ELSE audit_redacted_changes(c.changes) END,
         person
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_person_of(noun, coalesce(after, before)) person,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE (verb <> 'update' OR c.changes IS NOT NULL)
    AND NOT (verb = 'delete' AND before->>'via' IS NOT NULL
             AND ((before->>'expires_at')::timestamptz <= now() OR (before->>'last_used_at')::timestamptz <= now() - interval '12 hours') IS TRUE)
  ORDER BY place
$$;

-- section 20261120030000_recipients_in_a_browser/migration.sql
-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "origins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "archived_at" TIMESTAMPTZ(3),
ADD COLUMN     "seen_at" TIMESTAMPTZ(3);

-- Who has read a message has seen it.
UPDATE "inbox_messages" SET "seen_at" = "read_at" WHERE "read_at" IS NOT NULL;

-- CreateTable
CREATE TABLE "signing_secrets" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "kid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "is_held" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "signing_secrets_kid_key" ON "signing_secrets"("kid");

-- CreateIndex
CREATE INDEX "signing_secrets_organization_id_id_idx" ON "signing_secrets"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE UNIQUE INDEX signing_secrets_one_held ON signing_secrets (organization_id) WHERE is_held AND revoked_at IS NULL;
COMMENT ON INDEX signing_secrets_one_held IS 'not in schema.prisma: two requests that create the secret of the service at once create one';

-- The inbox, newest first, without reading the messages that were archived. It replaces an index over user and id.
CREATE INDEX inbox_messages_of_user ON inbox_messages (user_id, (archived_at IS NULL), id);
COMMENT ON INDEX inbox_messages_of_user IS 'not in schema.prisma: an expression; a user''s messages, those in the inbox apart from archived ones';
DROP INDEX "inbox_messages_user_id_id_idx";

CREATE INDEX inbox_messages_unread ON inbox_messages (user_id, id) WHERE read_at IS NULL AND archived_at IS NULL;
COMMENT ON INDEX inbox_messages_unread IS 'not in schema.prisma: counts and lists unread messages';
CREATE INDEX inbox_messages_unseen ON inbox_messages (user_id, id) WHERE seen_at IS NULL AND archived_at IS NULL;
COMMENT ON INDEX inbox_messages_unseen IS 'not in schema.prisma: counts and lists messages that nobody has seen';
CREATE INDEX inbox_messages_archived ON inbox_messages (user_id, id) WHERE archived_at IS NOT NULL;
COMMENT ON INDEX inbox_messages_archived IS 'not in schema.prisma: lists archived messages';

-- The audit log knows the new noun. It shows no secret.
CREATE TRIGGER audit_insert AFTER INSERT ON signing_secrets REFERENCING NEW TABLE AS changed_after
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_update AFTER UPDATE ON signing_secrets REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_delete AFTER DELETE ON signing_secrets REFERENCING OLD TABLE AS changed_before
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');

-- section 20261121000000_cells/migration.sql
-- Cells: several databases with the same schema, and a directory that says which of them an organization lives in. Every database has these
-- tables. Those in the directory's database are the truth, those in the other cells are copies for the time when the directory does not answer.

-- CreateTable
CREATE TABLE "cells" (
    "number" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cells_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "places" (
    "slug" TEXT NOT NULL,
    "organization_id" INTEGER,
    "cell" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "target" INTEGER,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "places_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "organization_freezes" (
    "organization_id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_freezes_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "own_cell" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "number" INTEGER NOT NULL,

    CONSTRAINT "own_cell_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "places_changed_at_idx" ON "places"("changed_at");

ALTER TABLE "cells" ADD CONSTRAINT "cells_number_check" CHECK ("number" BETWEEN 0 AND 15);
COMMENT ON CONSTRAINT "cells_number_check" ON "cells" IS 'not in schema.prisma: check';
ALTER TABLE "places" ADD CONSTRAINT "places_state_check" CHECK (
  "state" IN ('claimed', 'here', 'moving', 'gone') AND ("state" = 'moving') = ("target" IS NOT NULL)
  AND ("state" NOT IN ('here', 'moving') OR "organization_id" IS NOT NULL));
COMMENT ON CONSTRAINT "places_state_check" ON "places" IS 'not in schema.prisma: check';
ALTER TABLE "own_cell" ADD CONSTRAINT "own_cell_one_row" CHECK ("id" = 1 AND "number" BETWEEN 0 AND 15);
COMMENT ON CONSTRAINT "own_cell_one_row" ON "own_cell" IS 'not in schema.prisma: check';

-- section 20261121010000_moves/migration.sql
-- `carillon move`: an organization goes from one cell to another. The source has the row of the move, and the target a copy of it, whose
-- phase is `incoming`: it says that the rows of the organization there belong to a move that has not ended.

-- CreateTable
CREATE TABLE "moves" (
    "id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "source" INTEGER NOT NULL,
    "target" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "progress" JSONB NOT NULL DEFAULT '{}',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "frozen_at" TIMESTAMPTZ(3),
    "switched_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "moves_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "move_changes" (
    "id" BIGSERIAL NOT NULL,
    "table_name" TEXT NOT NULL,
    "key" TEXT[],

    CONSTRAINT "move_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "moves_organization_id_idx" ON "moves"("organization_id");

ALTER TABLE "moves" ADD CONSTRAINT "moves_phase_check" CHECK ("phase" IN (
  'copying', 'holding', 'copying the rest', 'comparing', 'switching', 'done', 'deleting', 'finished', 'undoing', 'undone', 'incoming'));
COMMENT ON CONSTRAINT "moves_phase_check" ON "moves" IS 'not in schema.prisma: check';

-- Notes that a row has changed while its organization is copied, and refuses the change while the rest is copied: what is written from
-- then on would be lost. The move creates triggers that call it, only for the rows of its organization, and drops them at its end. The
-- arguments are the organization and the columns of the primary key. The lock lets the move wait until every earlier change has ended.
CREATE FUNCTION "move_note"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization int := TG_ARGV[0];
  changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7261021, organization);
  IF EXISTS (SELECT FROM moves WHERE organization_id = organization AND phase IN ('copying the rest', 'comparing', 'switching', 'done')) THEN
    RAISE EXCEPTION 'the organization is moving to another cell' USING ERRCODE = 'lock_not_available';
  END IF;
  INSERT INTO move_changes (table_name, key)
  SELECT TG_TABLE_NAME, array_agg(changed->>name ORDER BY place) FROM unnest(TG_ARGV[1:]) WITH ORDINALITY k(name, place);
  RETURN NULL;
END
$$;

-- section 20261122000000_the_audit_log_plans_once/migration.sql
-- PostgreSQL makes five plans for the values it is given before it keeps one for all values, and the functions of the audit log are called
-- anew for each statement. They only look up rows by their id: one plan is always right. A written row took 2.4 ms of CPU time, now 0.9.
ALTER FUNCTION audit() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION audit_redact() SET plan_cache_mode = force_generic_plan;

-- section 20261123023000_order_of_ids/migration.sql
-- Inboxes and the audit log are read in the order of ids. An organization that has moved to a cell with lower ids gets a row here: which ids
-- came first. No foreign key: it would lock organizations, and the audit log of a deleted organization stays.

-- CreateTable
CREATE TABLE "id_orders" (
    "organization_id" INTEGER NOT NULL,
    "spans" JSONB NOT NULL,

    CONSTRAINT "id_orders_pkey" PRIMARY KEY ("organization_id")
);

-- section 20261123030000_limits_count_what_is_sent/migration.sql
-- A limit counts the messages that are sent: each takes its place at its first attempt. What is dead or was not sent counts no more.

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "waits_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "message_places" (
    "delivery_id" BIGINT NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL DEFAULT '',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "is_kept" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "message_places_pkey" PRIMARY KEY ("delivery_id","notification_id")
);

-- CreateIndex
CREATE INDEX "message_places_user_id_notification_id_since_idx" ON "message_places"("user_id", "notification_id", "since");

-- CreateIndex
CREATE INDEX "message_places_since_idx" ON "message_places"("since");

-- section 20261123040000_evidence_of_deliveries/migration.sql
-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN "evidence" JSONB;

-- section 20261123050000_refused_recipients/migration.sql
ALTER TABLE "channel_states" ADD COLUMN "refused" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- section 20261123090000_users_are_erased/migration.sql
-- CreateTable
CREATE TABLE "erasure_keys" (
    "organization_id" INTEGER NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "erasure_keys_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "erased_suppressions" (
    "organization_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "cause" "suppression_cause" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "erased_suppressions_pkey" PRIMARY KEY ("organization_id","name","digest","cause")
);

-- AddForeignKey
ALTER TABLE "erasure_keys" ADD CONSTRAINT "erasure_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erased_suppressions" ADD CONSTRAINT "erased_suppressions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A keyed digest of an address: whoever does not know the key of the organization cannot guess the address.
CREATE FUNCTION erased_digest(key bytea, name text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(key || sha256(key || convert_to(name || '/' || lower(value), 'UTF8'))), 'hex')
$$;

-- Suppresses an address again that comes back after its user was erased, whoever adds it: HTTP, a file, a command or SQL.
CREATE FUNCTION restore_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erasure_keys k WHERE k.organization_id IN (SELECT organization_id FROM added)) THEN
    WITH back AS (
      DELETE FROM erased_suppressions e USING added a, erasure_keys k
      WHERE k.organization_id = a.organization_id AND e.organization_id = a.organization_id AND e.name = a.name
        AND e.digest = erased_digest(k.key, a.name, a.value)
      RETURNING e.organization_id, e.name, a.value, e.cause, e.created_at, e.expires_at
    )
    INSERT INTO suppressions (organization_id, name, value, value_key, cause, evidence, created_at, expires_at)
    SELECT DISTINCT ON (organization_id, name, lower(value), cause) organization_id, name, value, lower(value), cause,
           '{"note": "The address was suppressed before the data of its user was erased."}', created_at, expires_at
    FROM back
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER restore_suppressions_insert AFTER INSERT ON "addresses" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();
CREATE TRIGGER restore_suppressions_update AFTER UPDATE ON "addresses" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();

-- Suppressions have no user: the entries about an erased address lose it too.
CREATE OR REPLACE FUNCTION audit_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.seal IS NULL AND NEW.seal IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['position', 'salt', 'digest', 'seal'] = to_jsonb(OLD) - ARRAY['position', 'salt', 'digest', 'seal'] THEN
    RETURN NEW;
  END IF;
  IF NEW.salt IS NULL
    AND to_jsonb(NEW) - ARRAY['name', 'changes', 'salt'] = to_jsonb(OLD) - ARRAY['name', 'changes', 'salt']
    AND NEW.changes IS NOT DISTINCT FROM audit_redacted_changes(OLD.changes)
    AND (right(NEW.name, length(audit_person(NEW.user_id))) = audit_person(NEW.user_id)
           AND NOT EXISTS (SELECT FROM users WHERE id = NEW.user_id)
         OR NEW.noun = 'suppression' AND right(NEW.name, 9) = '/[erased]' AND starts_with(OLD.name, left(NEW.name, -8))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;

-- section 20261123095000_suppressions_of_projects/migration.sql
-- A suppression belongs to the owner of the channel that reported it. Null: to the organization, as those that are stored already.
ALTER TABLE "suppressions" ADD COLUMN "project_id" INTEGER;
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id")
  REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- Punycode of one label of a domain (RFC 3492), without its prefix.
CREATE FUNCTION punycode(label text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  points int[] := ARRAY(SELECT ascii(c) FROM regexp_split_to_table(label, '') WITH ORDINALITY t(c, place) ORDER BY place);
  digits text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  output text := (SELECT coalesce(string_agg(chr(p), '' ORDER BY place), '') FROM unnest(points) WITH ORDINALITY t(p, place) WHERE p < 128);
  basic int := length(output);
  handled int := basic;
  n int := 128;
  delta bigint := 0;
  bias int := 72;
  next_n int;
  q bigint;
  k int;
  t int;
  point int;
BEGIN
  IF basic > 0 THEN output := output || '-'; END IF;
  WHILE handled < cardinality(points) LOOP
    SELECT min(p) INTO next_n FROM unnest(points) u(p) WHERE p >= n;
    delta := delta + (next_n - n)::bigint * (handled + 1);
    n := next_n;
    FOREACH point IN ARRAY points LOOP
      IF point < n THEN delta := delta + 1; END IF;
      IF point = n THEN
        q := delta;
        k := 36;
        LOOP
          t := least(greatest(k - bias, 1), 26);
          EXIT WHEN q < t;
          output := output || substr(digits, (t + (q - t) % (36 - t))::int + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        END LOOP;
        output := output || substr(digits, q::int + 1, 1);
        delta := delta / CASE WHEN handled = basic THEN 700 ELSE 2 END;
        delta := delta + delta / (handled + 1);
        k := 0;
        WHILE delta > 455 LOOP
          delta := delta / 35;
          k := k + 36;
        END LOOP;
        bias := k + (36 * delta / (delta + 38))::int;
        delta := 0;
        handled := handled + 1;
      END IF;
    END LOOP;
    delta := delta + 1;
    n := n + 1;
  END LOOP;
  RETURN output;
END
$$;

-- An address with letters beyond ASCII: the part before the @ composed (NFC), the domain as the DNS has it.
CREATE FUNCTION address_key_beyond_ascii(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN address !~ '@' THEN normalize(lower(normalize(address, NFC)), NFC)
    ELSE normalize(lower(normalize(regexp_replace(address, '@[^@]*$', ''), NFC)), NFC) || '@' || (
      SELECT string_agg(CASE WHEN label ~ '[^\x01-\x7f]' THEN 'xn--' || punycode(label) ELSE label END, '.' ORDER BY place)
      FROM regexp_split_to_table(normalize(lower(normalize(substring(address from '[^@]*$'), NFKC)), NFKC), '\.') WITH ORDINALITY t(label, place)) END
$$;

-- The form in which addresses are compared: upper and lower case, the two ways to write an accent (NFC and NFD), and the two ways to write a
-- domain (with letters beyond ASCII, or as punycode) are the same. Written so that PostgreSQL inlines it: most addresses cost one comparison.
CREATE FUNCTION address_key(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN address ~ '[^\x01-\x7f]' THEN address_key_beyond_ascii(address) ELSE lower(address) END
$$;

-- The `value_key` of a suppression. Those of a project have its id in it, because the unique index that the previous release needs has no
-- column for it. No address contains a line feed.
CREATE FUNCTION suppression_key(address text, project int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT address_key(address) || coalesce(E'\n' || project, '')
$$;

-- With the id of the project after a slash, if the suppression was one of a project.
CREATE OR REPLACE FUNCTION erased_digest(key bytea, name text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(key || sha256(key || convert_to(name || '/' || address_key(value), 'UTF8'))), 'hex')
$$;

CREATE OR REPLACE FUNCTION restore_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erasure_keys k WHERE k.organization_id IN (SELECT organization_id FROM added)) THEN
    WITH known AS MATERIALIZED (
      SELECT a.organization_id, a.name, a.value, erased_digest(k.key, a.name, a.value) digest
      FROM added a JOIN erasure_keys k USING (organization_id)
    ), scoped AS MATERIALIZED (
      SELECT *, NULL::int project_id FROM known
      UNION ALL
      SELECT k.organization_id, k.name, k.value, k.digest || '/' || p.id, p.id FROM known k JOIN projects p USING (organization_id)
    ), back AS (
      DELETE FROM erased_suppressions e USING scoped s
      WHERE e.organization_id = s.organization_id AND e.name = s.name AND e.digest = s.digest
      RETURNING e.organization_id, s.project_id, e.name, s.value, e.cause, e.created_at, e.expires_at
    )
    INSERT INTO suppressions (organization_id, project_id, name, value, value_key, cause, evidence, created_at, expires_at)
    SELECT DISTINCT ON (organization_id, name, suppression_key(value, project_id), cause) organization_id, project_id, name, value,
           suppression_key(value, project_id), cause, '{"note": "The address was suppressed before the data of its user was erased."}', created_at, expires_at
    FROM back
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- section 20261123095000_suppressions_of_projects/concurrently.sql
ALTER TABLE "suppressions" VALIDATE CONSTRAINT "suppressions_project_id_organization_id_fkey";
CREATE INDEX CONCURRENTLY "suppressions_project_id_id_idx" ON "suppressions"("project_id", "id");

-- section 20261123100000_waiting_jobs_of_an_organization/migration.sql
-- See concurrently.sql.
SELECT 1;

-- section 20261123100000_waiting_jobs_of_an_organization/concurrently.sql
-- The jobs of an organization that wait for a time or a switch: for its summary, and for its deletion. Ready and running jobs are not in it, so a
-- message that is sent at once costs nothing more.
CREATE INDEX CONCURRENTLY "jobs_waiting_of_organization" ON "jobs" ("organization_id") WHERE "state" IN ('scheduled', 'paused');
COMMENT ON INDEX "jobs_waiting_of_organization" IS 'not in schema.prisma: partial';

-- section 20261123214000_the_owner_keeps_the_delivery_index/migration.sql
-- Only the owner of an index may summarize it. The service may connect with a role that owns nothing (docs/operations.md, "Roles"):
-- these functions run with the rights of the role that migrates.
CREATE FUNCTION summarize_deliveries() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT brin_summarize_new_values('deliveries_of_user_idx') $$;

CREATE FUNCTION refresh_delivery_index(first_page bigint, last_page bigint) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
  SELECT sum(brin_summarize_range('deliveries_of_user_idx', page))::int
  FROM (
    SELECT page, brin_desummarize_range('deliveries_of_user_idx', page) gone
    FROM generate_series(first_page, last_page, 4) page OFFSET 0
  ) pages
$$;
