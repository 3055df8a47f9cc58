CREATE INDEX CONCURRENTLY jobs_of_steps ON jobs (id) WHERE task = 'step';
COMMENT ON INDEX jobs_of_steps IS 'not in schema.prisma: partial';
