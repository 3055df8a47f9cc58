-- DropIndex
DROP INDEX "rulesets_event_id_idx";

-- CreateIndex
CREATE INDEX "rulesets_event_id_id_idx" ON "rulesets"("event_id", "id");
