-- CreateTable
CREATE TABLE "schedules" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "cron" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "context" JSONB NOT NULL DEFAULT '{}',
    "options" JSONB NOT NULL DEFAULT '{}',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_runs" (
    "event_id" INTEGER NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "cron" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "occurrence_id" UUID,
    "skipped" TEXT,

    CONSTRAINT "schedule_runs_pkey" PRIMARY KEY ("event_id","slot")
);

-- CreateIndex
CREATE INDEX "schedules_organization_id_idx" ON "schedules"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "schedules_event_id_organization_id_key" ON "schedules"("event_id", "organization_id");

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The slots that are still to come, by time: each process looks for those that have come.
CREATE INDEX "schedule_runs_planned_idx" ON "schedule_runs"("slot") WHERE "occurrence_id" IS NULL AND "skipped" IS NULL;
COMMENT ON INDEX "schedule_runs_planned_idx" IS 'not in schema.prisma: it has a condition';

CREATE TRIGGER audit_insert AFTER INSERT ON schedules REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('schedule');
CREATE TRIGGER audit_update AFTER UPDATE ON schedules REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('schedule');
CREATE TRIGGER audit_delete AFTER DELETE ON schedules REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('schedule');

-- Before their event, while the path above them is still there.
CREATE OR REPLACE TRIGGER audit_children_first BEFORE DELETE ON events FOR EACH ROW
  EXECUTE FUNCTION audit_children_first('notifications', 'event_id', 'preferences', 'event_id', 'schedules', 'event_id');
