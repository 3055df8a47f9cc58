-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "alerts" JSONB;

-- One more index is built in concurrently.sql.
