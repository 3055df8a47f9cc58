-- The deliveries of a person: docs/decisions/0017. Each 4 pages, about 330 rows, have a bloom filter of the people in them, of 410 bytes:
-- PostgreSQL tries to compress larger ones whenever a row is added. The service makes the summaries of new pages (`DeliveryIndex`).
CREATE INDEX "deliveries_of_user_idx" ON "deliveries" USING brin
  ("id" int8_minmax_ops, "user_id" int4_bloom_ops (n_distinct_per_range = 340, false_positive_rate = 0.01))
  WITH (pages_per_range = 4, autosummarize = off);
COMMENT ON INDEX "deliveries_of_user_idx" IS 'not in schema.prisma: BRIN';
