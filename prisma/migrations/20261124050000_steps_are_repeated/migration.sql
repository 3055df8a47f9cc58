-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "repetition" SMALLINT NOT NULL DEFAULT 0;
