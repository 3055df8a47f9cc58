-- CreateEnum
CREATE TYPE "job_state" AS ENUM ('ready', 'scheduled', 'running', 'paused');

-- CreateTable
CREATE TABLE "jobs" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "lane" TEXT NOT NULL DEFAULT '',
    "priority" SMALLINT NOT NULL DEFAULT 0,
    "state" "job_state" NOT NULL DEFAULT 'ready',
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "size" INTEGER NOT NULL DEFAULT 1,
    "payload" JSONB NOT NULL,
    "key" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "worker" BIGINT,
    "taken_at" TIMESTAMPTZ(3),
    "switch" "switch",
    "switch_id" INTEGER,
    "paused_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "jobs_key_key" ON "jobs"("key");

-- One index for each state, so that a million scheduled or paused jobs cost the ready ones nothing. Workers walk the first two from one
-- organization and lane to the next.
CREATE INDEX "jobs_ready_to_expand" ON "jobs" ("priority", "organization_id", "lane", "run_at") WHERE "state" = 'ready' AND "task" = 'expand';
CREATE INDEX "jobs_ready" ON "jobs" ("priority", "organization_id", "lane", "run_at") WHERE "state" = 'ready' AND "task" <> 'expand';
CREATE INDEX "jobs_scheduled" ON "jobs" ("run_at") WHERE "state" = 'scheduled';
CREATE INDEX "jobs_running" ON "jobs" ("worker") WHERE "state" = 'running';
CREATE INDEX "jobs_paused" ON "jobs" ("switch", "switch_id") WHERE "state" = 'paused';
COMMENT ON INDEX "jobs_ready_to_expand" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_ready" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_scheduled" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_running" IS 'not in schema.prisma: partial';
COMMENT ON INDEX "jobs_paused" IS 'not in schema.prisma: partial';

-- Rows live for some milliseconds, and a worker that looks for a job has to skip the dead ones.
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 20000);

-- Whoever adds a job that is ready wakes the workers.
CREATE FUNCTION "notify_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('carillon_jobs', kind)
  FROM (SELECT DISTINCT CASE task WHEN 'expand' THEN 'expand' ELSE 'others' END kind FROM added WHERE state = 'ready') kinds;
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_of_jobs" AFTER INSERT ON "jobs" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "notify_of_jobs"();

-- Moves the jobs of graphile-worker, which was the queue until now. Its workers must have stopped, so a locked job is a job of a worker
-- that has ended. A deliver job without a key had been replaced by another one. Each occurrence of an expand job gets a job of its own.
DO $move$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;

  CREATE TEMPORARY TABLE old_jobs ON COMMIT DROP AS
    SELECT j.id, t.identifier task, j.payload::jsonb payload, j.priority, j.run_at, j.attempts, j.key
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'expand' OR j.key IS NOT NULL;

  INSERT INTO jobs (task, organization_id, priority, state, run_at, payload)
  SELECT 'expand-one', o.organization_id, j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, jsonb_build_object('occurrence', o.id)
  FROM old_jobs j
  CROSS JOIN LATERAL jsonb_array_elements_text(j.payload->'occurrences') named(occurrence)
  JOIN occurrences o ON o.id = named.occurrence::uuid
  WHERE j.task = 'expand'
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, state, run_at, payload, attempts)
  SELECT 'deliver', o.organization_id, concat(j.payload->>'priority', ':', j.payload->>'channel'), j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, j.payload, j.attempts
  FROM old_jobs j JOIN occurrences o ON o.id = (j.payload->>'occurrence')::uuid
  WHERE j.task = 'deliver'
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, run_at, payload, key)
  SELECT j.task, o.organization_id, 'steer', j.priority, j.run_at, j.payload, concat(j.task, ':', o.id)
  FROM old_jobs j JOIN occurrences o ON o.id = (j.payload->>'occurrence')::uuid
  WHERE j.task IN ('cancel', 'retry')
  ORDER BY j.id;

  INSERT INTO jobs (task, organization_id, lane, priority, state, run_at, payload)
  SELECT 'report', a.organization_id, concat('report:', a.id), j.priority,
         (CASE WHEN j.run_at > now() THEN 'scheduled' ELSE 'ready' END)::job_state, j.run_at, j.payload
  FROM old_jobs j JOIN applications a ON a.id = (j.payload->>'application')::int
  WHERE j.task = 'report'
  ORDER BY j.id;

  DROP SCHEMA graphile_worker CASCADE;
END $move$;

INSERT INTO jobs (task, organization_id, lane, priority, state, payload, switch, switch_id, paused_at)
SELECT CASE p.task WHEN 'expand' THEN 'expand-one' ELSE p.task END, o.organization_id,
       CASE p.task WHEN 'deliver' THEN concat(p.payload->>'priority', ':', p.payload->>'channel') ELSE '' END,
       CASE coalesce(p.payload->>'priority', o.options->>'priority') WHEN 'critical' THEN -10 WHEN 'bulk' THEN 10 ELSE 0 END,
       'paused', CASE p.task WHEN 'expand' THEN jsonb_build_object('occurrence', o.id) ELSE p.payload END, p.switch, p.switch_id, p.paused_at
FROM paused_jobs p JOIN occurrences o ON o.id = p.occurrence_id
ORDER BY p.id;

-- DropTable
DROP TABLE "paused_jobs";
