-- CreateTable
CREATE TABLE "monthly_figures" (
    "organization_id" INTEGER NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "monthly_figures_pkey" PRIMARY KEY ("organization_id","month","notification_id","channel_id","outcome","reason")
);

-- CreateTable
CREATE TABLE "monthly_domain_figures" (
    "organization_id" INTEGER NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "domain" TEXT NOT NULL,
    "application_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "monthly_domain_figures_pkey" PRIMARY KEY ("organization_id","month","domain","application_id","channel_id","outcome","reason")
);

-- AddForeignKey
ALTER TABLE "monthly_figures" ADD CONSTRAINT "monthly_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "monthly_domain_figures" ADD CONSTRAINT "monthly_domain_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The next message that is counted makes the days of an organization again, and its months with them. Until then hours are read.
DELETE FROM "figure_zones";
