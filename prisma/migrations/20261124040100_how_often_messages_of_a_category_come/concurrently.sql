-- Whether somebody has chosen how often the messages of a category come: triggers ask.
CREATE INDEX CONCURRENTLY preferences_frequency ON preferences (category_id) WHERE frequency IS NOT NULL;
COMMENT ON INDEX preferences_frequency IS 'not in schema.prisma: it has a condition';
