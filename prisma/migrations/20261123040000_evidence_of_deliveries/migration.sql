-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN "evidence" JSONB;
