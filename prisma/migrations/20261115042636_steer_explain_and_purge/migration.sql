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
