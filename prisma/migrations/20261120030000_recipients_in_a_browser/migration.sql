-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "origins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "archived_at" TIMESTAMPTZ(3),
ADD COLUMN     "seen_at" TIMESTAMPTZ(3);

-- Who has read a message has seen it.
UPDATE "inbox_messages" SET "seen_at" = "read_at" WHERE "read_at" IS NOT NULL;

-- CreateTable
CREATE TABLE "signing_secrets" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "kid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "is_held" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "signing_secrets_kid_key" ON "signing_secrets"("kid");

-- CreateIndex
CREATE INDEX "signing_secrets_organization_id_id_idx" ON "signing_secrets"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE UNIQUE INDEX signing_secrets_one_held ON signing_secrets (organization_id) WHERE is_held AND revoked_at IS NULL;
COMMENT ON INDEX signing_secrets_one_held IS 'not in schema.prisma: two requests that create the secret of the service at once create one';

-- The inbox, newest first, without reading the messages that were archived. It replaces an index over user and id.
CREATE INDEX inbox_messages_of_user ON inbox_messages (user_id, (archived_at IS NULL), id);
COMMENT ON INDEX inbox_messages_of_user IS 'not in schema.prisma: an expression; a user''s messages, those in the inbox apart from archived ones';
DROP INDEX "inbox_messages_user_id_id_idx";

CREATE INDEX inbox_messages_unread ON inbox_messages (user_id, id) WHERE read_at IS NULL AND archived_at IS NULL;
COMMENT ON INDEX inbox_messages_unread IS 'not in schema.prisma: counts and lists unread messages';
CREATE INDEX inbox_messages_unseen ON inbox_messages (user_id, id) WHERE seen_at IS NULL AND archived_at IS NULL;
COMMENT ON INDEX inbox_messages_unseen IS 'not in schema.prisma: counts and lists messages that nobody has seen';
CREATE INDEX inbox_messages_archived ON inbox_messages (user_id, id) WHERE archived_at IS NOT NULL;
COMMENT ON INDEX inbox_messages_archived IS 'not in schema.prisma: lists archived messages';

-- The audit log knows the new noun. It shows no secret.
CREATE TRIGGER audit_insert AFTER INSERT ON signing_secrets REFERENCING NEW TABLE AS changed_after
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_update AFTER UPDATE ON signing_secrets REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_delete AFTER DELETE ON signing_secrets REFERENCING OLD TABLE AS changed_before
  FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
