-- The jobs of an organization that wait for a time or a switch: for its summary, and for its deletion. Ready and running jobs are not in it, so a
-- message that is sent at once costs nothing more.
CREATE INDEX CONCURRENTLY "jobs_waiting_of_organization" ON "jobs" ("organization_id") WHERE "state" IN ('scheduled', 'paused');
COMMENT ON INDEX "jobs_waiting_of_organization" IS 'not in schema.prisma: partial';
