-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "locale" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "locale" TEXT;
