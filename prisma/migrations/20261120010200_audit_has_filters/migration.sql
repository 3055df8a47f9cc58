-- CreateIndex
CREATE INDEX "audit_entries_organization_id_noun_id_idx" ON "audit_entries"("organization_id", "noun", "id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_actor_id_idx" ON "audit_entries"("organization_id", "actor", "id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_at_idx" ON "audit_entries"("organization_id", "at");

CREATE INDEX "audit_entries_name_prefix_idx" ON "audit_entries"("organization_id", "name" text_pattern_ops);
COMMENT ON INDEX "audit_entries_name_prefix_idx" IS 'not in schema.prisma: operator class';
