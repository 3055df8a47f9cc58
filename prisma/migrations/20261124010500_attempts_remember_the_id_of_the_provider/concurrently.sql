CREATE INDEX CONCURRENTLY attempts_provider_id_idx ON attempts (channel_id, provider_id) WHERE provider_id IS NOT NULL;
COMMENT ON INDEX attempts_provider_id_idx IS 'not in schema.prisma: it has a condition';
