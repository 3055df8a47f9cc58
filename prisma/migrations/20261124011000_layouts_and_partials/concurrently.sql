-- Templates with a layout or partials: those to look at when one of these changes.
CREATE INDEX CONCURRENTLY templates_shared_idx ON templates (organization_id) WHERE layout IS NOT NULL OR partials <> '{}';
COMMENT ON INDEX templates_shared_idx IS 'not in schema.prisma: it has a condition';
