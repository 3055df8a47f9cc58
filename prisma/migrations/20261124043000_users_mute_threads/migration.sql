-- AlterEnum
ALTER TYPE "gate" ADD VALUE 'muted';

-- CreateTable
CREATE TABLE "muted_threads" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "chosen_by" "chosen_by" NOT NULL,
    "chosen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "muted_threads_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "muted_threads_application_id_idx" ON "muted_threads"("application_id");

-- CreateIndex
CREATE INDEX "muted_threads_ends_at_idx" ON "muted_threads"("ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "muted_threads_user_id_application_id_field_value_key" ON "muted_threads"("user_id", "application_id", "field", "value");

-- AddForeignKey
ALTER TABLE "muted_threads" ADD CONSTRAINT "muted_threads_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "users"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "muted_threads" ADD CONSTRAINT "muted_threads_application_id_organization_id_fkey" FOREIGN KEY ("application_id", "organization_id") REFERENCES "applications"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The log calls them preferences: they are choices of a user, too.
CREATE TRIGGER audit_insert AFTER INSERT ON muted_threads REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
CREATE TRIGGER audit_update AFTER UPDATE ON muted_threads REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
CREATE TRIGGER audit_delete AFTER DELETE ON muted_threads REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
