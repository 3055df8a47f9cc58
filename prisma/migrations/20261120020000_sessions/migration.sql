-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "via" TEXT,
ADD COLUMN     "parent_id" INTEGER,
ADD COLUMN     "person" TEXT,
ADD COLUMN     "provider" TEXT;

-- CreateIndex
CREATE INDEX "api_keys_parent_id_idx" ON "api_keys"("parent_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few of the keys are sessions.
CREATE INDEX "api_keys_sessions" ON "api_keys"("organization_id") WHERE "via" IS NOT NULL;
COMMENT ON INDEX "api_keys_sessions" IS 'not in schema.prisma: partial';

-- A session has an end, and only a session has a parent, a person or a provider.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_session_check" CHECK (
  CASE WHEN "via" IS NULL THEN "parent_id" IS NULL AND "person" IS NULL AND "provider" IS NULL
       ELSE "via" IN ('key', 'link', 'oidc') AND "expires_at" IS NOT NULL END);
COMMENT ON CONSTRAINT "api_keys_session_check" ON "api_keys" IS 'not in schema.prisma: check';

-- Sessions are keys in this table only: the log calls them by their own name. A session that ended by itself is no news when it is purged.
CREATE OR REPLACE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, changes, user_id)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb,
         CASE WHEN coalesce(after, before)->>'via' IS NULL THEN noun
              WHEN coalesce(after, before)->>'last_used_at' IS NULL THEN 'sign-in link' ELSE 'session' END,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         CASE WHEN person IS NULL OR EXISTS (SELECT FROM users WHERE id = person) THEN c.changes ELSE audit_redacted_changes(c.changes) END,
         person
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_person_of(noun, coalesce(after, before)) person,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE (verb <> 'update' OR c.changes IS NOT NULL)
    AND NOT (verb = 'delete' AND before->>'via' IS NOT NULL
             AND ((before->>'expires_at')::timestamptz <= now() OR (before->>'last_used_at')::timestamptz <= now() - interval '12 hours') IS TRUE)
  ORDER BY place
$$;
