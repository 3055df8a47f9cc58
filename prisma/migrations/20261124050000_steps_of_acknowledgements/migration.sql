-- AlterTable
ALTER TABLE "acknowledgements" ADD COLUMN     "step" SMALLINT;
