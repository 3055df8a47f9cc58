-- CreateTable
CREATE TABLE "incidents" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "incidents_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incidents_organization_id_opened_at_idx" ON "incidents"("organization_id", "opened_at");

-- AddForeignKey
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE UNIQUE INDEX incidents_open_idx ON incidents (organization_id, kind, subject) WHERE (closed_at IS NULL);
COMMENT ON INDEX incidents_open_idx IS 'not in schema.prisma: partial';
