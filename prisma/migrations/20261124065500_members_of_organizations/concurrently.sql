CREATE INDEX CONCURRENTLY "api_keys_member_id_idx" ON "api_keys"("member_id");
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_member_id_organization_id_fkey";
