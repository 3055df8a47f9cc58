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
