-- CreateTable
CREATE TABLE "erasure_keys" (
    "organization_id" INTEGER NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "erasure_keys_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "erased_suppressions" (
    "organization_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "cause" "suppression_cause" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "erased_suppressions_pkey" PRIMARY KEY ("organization_id","name","digest","cause")
);

-- AddForeignKey
ALTER TABLE "erasure_keys" ADD CONSTRAINT "erasure_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erased_suppressions" ADD CONSTRAINT "erased_suppressions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A keyed digest of an address: whoever does not know the key of the organization cannot guess the address.
CREATE FUNCTION erased_digest(key bytea, name text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(key || sha256(key || convert_to(name || '/' || lower(value), 'UTF8'))), 'hex')
$$;

-- Suppresses an address again that comes back after its user was erased, whoever adds it: HTTP, a file, a command or SQL.
CREATE FUNCTION restore_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erasure_keys k WHERE k.organization_id IN (SELECT organization_id FROM added)) THEN
    WITH back AS (
      DELETE FROM erased_suppressions e USING added a, erasure_keys k
      WHERE k.organization_id = a.organization_id AND e.organization_id = a.organization_id AND e.name = a.name
        AND e.digest = erased_digest(k.key, a.name, a.value)
      RETURNING e.organization_id, e.name, a.value, e.cause, e.created_at, e.expires_at
    )
    INSERT INTO suppressions (organization_id, name, value, value_key, cause, evidence, created_at, expires_at)
    SELECT DISTINCT ON (organization_id, name, lower(value), cause) organization_id, name, value, lower(value), cause,
           '{"note": "The address was suppressed before the data of its user was erased."}', created_at, expires_at
    FROM back
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER restore_suppressions_insert AFTER INSERT ON "addresses" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();
CREATE TRIGGER restore_suppressions_update AFTER UPDATE ON "addresses" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();

-- Suppressions have no user: the entries about an erased address lose it too.
CREATE OR REPLACE FUNCTION audit_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.seal IS NULL AND NEW.seal IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['position', 'salt', 'digest', 'seal'] = to_jsonb(OLD) - ARRAY['position', 'salt', 'digest', 'seal'] THEN
    RETURN NEW;
  END IF;
  IF NEW.salt IS NULL
    AND to_jsonb(NEW) - ARRAY['name', 'changes', 'salt'] = to_jsonb(OLD) - ARRAY['name', 'changes', 'salt']
    AND NEW.changes IS NOT DISTINCT FROM audit_redacted_changes(OLD.changes)
    AND (right(NEW.name, length(audit_person(NEW.user_id))) = audit_person(NEW.user_id)
           AND NOT EXISTS (SELECT FROM users WHERE id = NEW.user_id)
         OR NEW.noun = 'suppression' AND right(NEW.name, 9) = '/[erased]' AND starts_with(OLD.name, left(NEW.name, -8))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
