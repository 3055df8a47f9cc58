-- For `?search=`. An import of people takes a third longer in the database with these four.
CREATE INDEX "users_email_prefix_idx" ON "users"("organization_id", "email_key" text_pattern_ops);
COMMENT ON INDEX "users_email_prefix_idx" IS 'not in schema.prisma: operator class';
CREATE INDEX "users_first_name_prefix_idx" ON "users"("organization_id", lower("first_name") text_pattern_ops);
COMMENT ON INDEX "users_first_name_prefix_idx" IS 'not in schema.prisma: expression';
CREATE INDEX "users_last_name_prefix_idx" ON "users"("organization_id", lower("last_name") text_pattern_ops);
COMMENT ON INDEX "users_last_name_prefix_idx" IS 'not in schema.prisma: expression';
CREATE INDEX "addresses_value_prefix_idx" ON "addresses"("organization_id", lower("value") text_pattern_ops);
COMMENT ON INDEX "addresses_value_prefix_idx" IS 'not in schema.prisma: expression';
