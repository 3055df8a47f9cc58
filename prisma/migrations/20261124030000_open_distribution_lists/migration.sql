-- AlterTable
ALTER TABLE "distribution_lists" ADD COLUMN     "description" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "open" BOOLEAN NOT NULL DEFAULT false;
