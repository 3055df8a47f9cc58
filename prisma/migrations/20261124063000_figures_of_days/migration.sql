-- CreateTable
CREATE TABLE "daily_figures" (
    "organization_id" INTEGER NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "daily_figures_pkey" PRIMARY KEY ("organization_id","day","notification_id","channel_id","outcome","reason")
);

-- CreateTable
CREATE TABLE "daily_domain_figures" (
    "organization_id" INTEGER NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "domain" TEXT NOT NULL,
    "application_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "daily_domain_figures_pkey" PRIMARY KEY ("organization_id","day","domain","application_id","channel_id","outcome","reason")
);

-- CreateTable
CREATE TABLE "figure_zones" (
    "organization_id" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,

    CONSTRAINT "figure_zones_pkey" PRIMARY KEY ("organization_id")
);

-- AddForeignKey
ALTER TABLE "daily_figures" ADD CONSTRAINT "daily_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_domain_figures" ADD CONSTRAINT "daily_domain_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "figure_zones" ADD CONSTRAINT "figure_zones_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
