-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "acknowledge" JSONB;

-- CreateTable
CREATE TABLE "acknowledgements" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "occurrence_id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "way" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "acknowledgements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "acknowledgements_occurrence_id_id_idx" ON "acknowledgements"("occurrence_id", "id");

-- CreateIndex
CREATE INDEX "acknowledgements_user_id_idx" ON "acknowledgements"("user_id");

-- CreateIndex
CREATE INDEX "acknowledgements_organization_id_idx" ON "acknowledgements"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "acknowledgements_occurrence_id_user_id_key" ON "acknowledgements"("occurrence_id", "user_id");

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_occurrence_id_fkey" FOREIGN KEY ("occurrence_id") REFERENCES "occurrences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;
