-- The deliveries of a person, newest first. A message to one person costs PostgreSQL 14 us more with it, one of a large audience 7 us.
CREATE INDEX "deliveries_user_id_id_idx" ON "deliveries"("user_id", "id") WHERE "user_id" <> 0;
COMMENT ON INDEX "deliveries_user_id_id_idx" IS 'not in schema.prisma: partial';
