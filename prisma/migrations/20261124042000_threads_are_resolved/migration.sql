-- AlterTable
ALTER TABLE "events" ADD COLUMN     "resolves_event" TEXT;

-- CreateTable
CREATE TABLE "thread_resolutions" (
    "occurrence_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "event_id" INTEGER,
    "field" TEXT,
    "value" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "thread_resolutions_pkey" PRIMARY KEY ("occurrence_id","position")
);

-- CreateIndex
CREATE INDEX "thread_resolutions_application_id_value_at_idx" ON "thread_resolutions"("application_id", "value", "at");

-- CreateIndex
CREATE INDEX "thread_resolutions_application_id_at_idx" ON "thread_resolutions"("application_id", "at");

-- CreateIndex
CREATE INDEX "thread_resolutions_event_id_idx" ON "thread_resolutions"("event_id");

-- CreateIndex
CREATE INDEX "thread_resolutions_organization_id_idx" ON "thread_resolutions"("organization_id");

-- AddForeignKey
ALTER TABLE "thread_resolutions" ADD CONSTRAINT "thread_resolutions_application_id_organization_id_fkey" FOREIGN KEY ("application_id", "organization_id") REFERENCES "applications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_resolutions" ADD CONSTRAINT "thread_resolutions_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;
