-- CreateEnum
CREATE TYPE "report_state" AS ENUM ('delayed', 'soft_bounced', 'delivered', 'seen', 'bounced', 'complained');

-- CreateEnum
CREATE TYPE "seen_by" AS ENUM ('human', 'machine', 'unknown');

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "report" "report_state";

-- CreateTable
CREATE TABLE "delivery_reports" (
    "delivery_id" BIGINT NOT NULL,
    "event" TEXT NOT NULL,
    "state" "report_state" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "by" "seen_by",
    "detail" TEXT NOT NULL,

    CONSTRAINT "delivery_reports_pkey" PRIMARY KEY ("delivery_id","event")
);

-- AddForeignKey
ALTER TABLE "delivery_reports" ADD CONSTRAINT "delivery_reports_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
