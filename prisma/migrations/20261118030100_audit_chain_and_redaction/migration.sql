-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "address" TEXT,
ADD COLUMN     "digest" BYTEA,
ADD COLUMN     "position" BIGINT,
ADD COLUMN     "salt" BYTEA,
ADD COLUMN     "seal" BYTEA,
ADD COLUMN     "user_id" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_organization_id_position_key" ON "audit_entries"("organization_id", "position");

CREATE INDEX "audit_entries_user_id_idx" ON "audit_entries"("user_id") WHERE "user_id" IS NOT NULL;
COMMENT ON INDEX "audit_entries_user_id_idx" IS 'not in schema.prisma: partial';
CREATE INDEX "audit_entries_unsealed_idx" ON "audit_entries"("id") WHERE "position" IS NULL;
COMMENT ON INDEX "audit_entries_unsealed_idx" IS 'not in schema.prisma: partial';

DROP TRIGGER append_only ON "audit_entries";

-- The name of a person whose data is redacted.
CREATE FUNCTION audit_person(id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT format('[user %s]', id) $$;

CREATE FUNCTION audit_person_of(noun text, r jsonb) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE noun WHEN 'user' THEN r->>'id' WHEN 'address' THEN r->>'user_id' WHEN 'member' THEN r->>'user_id' END)::int
$$;

CREATE OR REPLACE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'address' THEN coalesce((SELECT email || '/' || (r->>'name') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'member' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name')
  END
$$;

-- The name of an entry about a person, without the person's e-mail. A member keeps the path of the list.
CREATE FUNCTION audit_redacted_name(name text, email text, id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN right(name, length(email) + 1) = '/' || email THEN left(name, -length(email)) || audit_person(id)
              WHEN right(name, length(audit_person(id)) + 1) = '/' || audit_person(id) THEN name
              ELSE audit_person(id) END
$$;

-- Keeps the names of the fields, and which of them were null.
CREATE FUNCTION audit_redacted_changes(changes jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, (SELECT jsonb_agg(CASE WHEN v = 'null' THEN v ELSE '"[redacted]"' END) FROM jsonb_array_elements(value) v))
  FROM jsonb_each(changes)
$$;

-- A person who is deleted is gone already here, and their addresses and memberships follow: these entries are redacted from the beginning.
CREATE OR REPLACE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, changes, user_id)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb, noun,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         CASE WHEN person IS NULL OR EXISTS (SELECT FROM users WHERE id = person) THEN c.changes ELSE audit_redacted_changes(c.changes) END,
         person
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_person_of(noun, coalesce(after, before)) person,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE verb <> 'update' OR c.changes IS NOT NULL
  ORDER BY place
$$;

CREATE OR REPLACE FUNCTION audit_note_as(verb text, noun text, owner int, name text, count bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, count)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb, noun, name, count
  FROM audit_by() by
$$;

-- The person of the entries so far. A person who is gone by now is redacted; their id is not known any more.
UPDATE audit_entries e SET user_id = u.id
FROM users u
WHERE u.organization_id = e.organization_id AND e.name IS NOT NULL
  AND u.email = CASE e.noun WHEN 'user' THEN e.name WHEN 'address' THEN split_part(e.name, '/', 1)
                            WHEN 'member' THEN substring(e.name FROM '[^/]*$') END;
UPDATE audit_entries
SET name = CASE noun WHEN 'member' THEN regexp_replace(name, '[^/]*$', '[deleted user]') ELSE '[deleted user]' END,
    changes = audit_redacted_changes(changes)
WHERE noun IN ('user', 'address', 'member') AND name IS NOT NULL AND user_id IS NULL;

-- Whoever deletes a person, and by whatever way: the log forgets their data in the same transaction.
CREATE FUNCTION audit_redact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_entries e
  SET name = audit_redacted_name(e.name, u.email, u.id), changes = audit_redacted_changes(e.changes), salt = NULL
  FROM changed_before u
  WHERE e.user_id = u.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER audit_redact AFTER DELETE ON "users" REFERENCING OLD TABLE AS changed_before
  FOR EACH STATEMENT EXECUTE FUNCTION audit_redact();

-- An entry is sealed once, and the details of a person who is gone may be redacted. Nothing else changes.
CREATE FUNCTION audit_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.seal IS NULL AND NEW.seal IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['position', 'salt', 'digest', 'seal'] = to_jsonb(OLD) - ARRAY['position', 'salt', 'digest', 'seal'] THEN
    RETURN NEW;
  END IF;
  IF NEW.salt IS NULL
    AND to_jsonb(NEW) - ARRAY['name', 'changes', 'salt'] = to_jsonb(OLD) - ARRAY['name', 'changes', 'salt']
    AND NEW.changes IS NOT DISTINCT FROM audit_redacted_changes(OLD.changes)
    AND right(NEW.name, length(audit_person(NEW.user_id))) = audit_person(NEW.user_id)
    AND NOT EXISTS (SELECT FROM users WHERE id = NEW.user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER append_only_update BEFORE UPDATE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION audit_refuse_update();
