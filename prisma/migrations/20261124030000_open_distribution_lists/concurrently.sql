CREATE INDEX CONCURRENTLY distribution_lists_open ON distribution_lists (organization_id, id) WHERE open;
COMMENT ON INDEX distribution_lists_open IS 'not in schema.prisma: lists what the users of an organization may join';
