-- What a template, and a message made of it, has besides its text: {"url", "image", "actions", "data"}. Null: nothing.
ALTER TABLE "templates" ADD COLUMN "rich" JSONB;
ALTER TABLE "messages" ADD COLUMN "rich" JSONB;

-- Where a message comes from. They are no foreign keys: a message outlives its occurrence, its event and its category.
-- A snoozed message counts as archived until "snoozed_until".
ALTER TABLE "inbox_messages"
  ADD COLUMN "occurrence_id" UUID,
  ADD COLUMN "event_id" INTEGER,
  ADD COLUMN "category_id" INTEGER,
  ADD COLUMN "rich" JSONB,
  ADD COLUMN "snoozed_until" TIMESTAMPTZ(3);
