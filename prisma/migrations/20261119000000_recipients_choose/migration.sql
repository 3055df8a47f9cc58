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
