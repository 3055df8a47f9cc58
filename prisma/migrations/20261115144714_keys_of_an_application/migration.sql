-- CreateIndex
CREATE INDEX "api_keys_application_id_idx" ON "api_keys"("application_id");
