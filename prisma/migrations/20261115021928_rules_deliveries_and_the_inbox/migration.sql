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
