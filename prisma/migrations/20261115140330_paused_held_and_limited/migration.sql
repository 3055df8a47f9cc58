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
