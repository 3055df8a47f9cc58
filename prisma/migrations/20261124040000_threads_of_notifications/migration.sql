-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "thread" TEXT;
