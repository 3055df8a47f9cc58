CREATE INDEX CONCURRENTLY organizations_alerts_idx ON organizations (id) WHERE (alerts IS NOT NULL);
COMMENT ON INDEX organizations_alerts_idx IS 'not in schema.prisma: partial';
