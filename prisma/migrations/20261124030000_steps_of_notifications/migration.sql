-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "steps" JSONB;

-- AlterTable
ALTER TABLE "occurrences" ADD COLUMN     "open_steps" INTEGER[];
