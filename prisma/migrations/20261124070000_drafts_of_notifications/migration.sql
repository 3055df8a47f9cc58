-- CreateTable
CREATE TABLE "drafts" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "notification_id" INTEGER,
    "notification" JSONB NOT NULL,
    "base" JSONB,
    "base_etag" TEXT,
    "saved_by" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "drafts_event_id_id_idx" ON "drafts"("event_id", "id");

-- CreateIndex
CREATE INDEX "drafts_notification_id_idx" ON "drafts"("notification_id");

-- CreateIndex
CREATE INDEX "drafts_organization_id_idx" ON "drafts"("organization_id");

-- CreateIndex
CREATE INDEX "drafts_saved_at_idx" ON "drafts"("saved_at");

-- CreateIndex
CREATE UNIQUE INDEX "drafts_event_id_name_key" ON "drafts"("event_id", "name");

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_notification_id_organization_id_fkey" FOREIGN KEY ("notification_id", "organization_id") REFERENCES "notifications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;
