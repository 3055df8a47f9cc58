-- CreateEnum
CREATE TYPE "frequency" AS ENUM ('daily', 'weekly');

-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "digest_at" TEXT NOT NULL DEFAULT '09:00',
ADD COLUMN     "frequencies" "frequency"[] DEFAULT ARRAY[]::"frequency"[];

-- AlterTable
ALTER TABLE "preferences" ADD COLUMN     "frequency" "frequency";
