-- CreateEnum
CREATE TYPE "per" AS ENUM ('room', 'person');

-- AlterTable
-- Templates that exist keep what they did: one message for each person, also over a room.
ALTER TABLE "templates" ADD COLUMN     "per" "per" NOT NULL DEFAULT 'person';
