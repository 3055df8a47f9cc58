ALTER TABLE "suppressions" VALIDATE CONSTRAINT "suppressions_project_id_organization_id_fkey";
CREATE INDEX CONCURRENTLY "suppressions_project_id_id_idx" ON "suppressions"("project_id", "id");
