-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN "held_at" TIMESTAMPTZ(3);

UPDATE "occurrences" SET "held_at" = "created_at" WHERE "status" = 'held';

-- Neither index contains a status: with it, no change of a status could be a HOT update. They cost messages that are sent nothing.
CREATE INDEX "occurrences_held_idx" ON "occurrences"("organization_id", "event_id", "id") WHERE "held_at" IS NOT NULL;
COMMENT ON INDEX "occurrences_held_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "deliveries_dead_idx" ON "deliveries"("organization_id", "occurrence_id") WHERE "reason" IS NOT NULL;
COMMENT ON INDEX "deliveries_dead_idx" IS 'not in schema.prisma: partial';
