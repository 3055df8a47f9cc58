-- CreateIndex
CREATE INDEX "suppressions_organization_id_value_key_id_idx" ON "suppressions"("organization_id", "value_key", "id");

-- CreateIndex
CREATE INDEX "suppressions_organization_id_cause_id_idx" ON "suppressions"("organization_id", "cause", "id");
