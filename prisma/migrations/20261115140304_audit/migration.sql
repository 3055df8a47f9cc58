-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "organization_id" INTEGER,
    "key_id" INTEGER,
    "actor" TEXT NOT NULL,
    "request_id" TEXT,
    "verb" TEXT NOT NULL,
    "noun" TEXT NOT NULL,
    "name" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "changes" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_id_idx" ON "audit_entries"("organization_id", "id");

-- Whoever writes, and by whatever way, leaves an entry: the database itself notes it. Who it was stands in the setting
-- `carillon.by` of the transaction, as {"key", "actor", "request"}; without it, it was the database's own user.

-- Where a row stands below its organization, as far as that still exists when a whole branch is deleted.
CREATE FUNCTION audit_place(r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', p.slug, a.slug, e.slug, n.name, l.name)
  FROM (SELECT) nothing
  LEFT JOIN notifications n ON n.id = (r->>'notification_id')::int
  LEFT JOIN events e ON e.id = coalesce((r->>'event_id')::int, n.event_id)
  LEFT JOIN applications a ON a.id = coalesce((r->>'application_id')::int, e.application_id)
  LEFT JOIN distribution_lists l ON l.id = (r->>'list_id')::int AND n.id IS NULL
  LEFT JOIN projects p ON p.id = coalesce((r->>'project_id')::int, a.project_id, l.project_id)
$$;

-- What a person calls the row.
CREATE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'address' THEN concat_ws('/', (SELECT email FROM users WHERE id = (r->>'user_id')::int), r->>'name')
    WHEN 'member' THEN (SELECT email FROM users WHERE id = (r->>'user_id')::int)
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name', r->>'email')
  END
$$;

-- A row's fields one by one, without what is derived or no news. Secrets are still in it: they must be compared.
CREATE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'created_at', 'email_key', 'name_key']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
$$;

CREATE FUNCTION audit_shown(field text, value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN value = 'null' OR value IS NULL THEN 'null'
              WHEN field IN ('fallback_id', 'channel_id') THEN coalesce((SELECT to_jsonb(slug) FROM channels WHERE id = value::int), value)
              WHEN field = 'secret' OR (field LIKE 'config.%' AND jsonb_typeof(value) = 'object') THEN '"***"'
              ELSE value END
$$;

-- {"field": [before, after]} of what differs; none: nothing does.
CREATE FUNCTION audit_changes(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(regexp_replace(key, '^(fallback|channel)_id$', '\1'), jsonb_build_array(audit_shown(key, b.value), audit_shown(key, a.value)))
  FROM jsonb_each(audit_fields(before)) b FULL JOIN jsonb_each(audit_fields(after)) a USING (key)
  WHERE coalesce(b.value, 'null') IS DISTINCT FROM coalesce(a.value, 'null')
$$;

CREATE FUNCTION audit_by() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('carillon.by', true), '')::jsonb
$$;

-- Of rows that were changed together, one entry for each up to twenty, and one for all of them beyond: a million people are one.
CREATE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, verb, noun, name, changes)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', verb, noun,
         concat_ws('/', nullif(audit_place(coalesce(after, before)), ''), audit_label(noun, coalesce(after, before))),
         c.changes
  FROM unnest(owners, befores, afters) WITH ORDINALITY r(owner, before, after, place),
       audit_by() by,
       audit_changes(coalesce(before, '{}'), coalesce(after, '{}')) c(changes)
  WHERE verb <> 'update' OR c.changes IS NOT NULL
  ORDER BY place
$$;

-- One entry without its fields: of many rows, or of what was done to an occurrence, whose table workers write all the time.
CREATE FUNCTION audit_note_as(verb text, noun text, owner int, name text, count bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, verb, noun, name, count)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', verb, noun, name, count
  FROM audit_by() by
$$;

-- Its argument is what a row is called. Three nearly equal branches: a statement sees the rows before, after, or both.
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noun text := TG_ARGV[0];
  owner text := CASE TG_TABLE_NAME WHEN 'organizations' THEN 'id' ELSE 'organization_id' END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_after LIMIT 21) few) THEN
      PERFORM audit_note('create', noun, array_agg((r->>owner)::int), array_agg(NULL::jsonb), array_agg(r))
      FROM (SELECT to_jsonb(t) r FROM changed_after t) changed HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('create', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_after t GROUP BY 1) owners;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_before LIMIT 21) few) THEN
      PERFORM audit_note('delete', noun, array_agg((r->>owner)::int), array_agg(r), array_agg(NULL::jsonb))
      FROM (SELECT to_jsonb(t) r FROM changed_before t) changed HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('delete', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_before t GROUP BY 1) owners;
    END IF;
  ELSE
    IF (SELECT count(*) <= 20 FROM (SELECT FROM changed_after LIMIT 21) few) THEN
      PERFORM audit_note('update', noun, array_agg((a->>owner)::int), array_agg(b), array_agg(a))
      FROM (SELECT to_jsonb(t) a FROM changed_after t) afters
      JOIN (SELECT to_jsonb(t) b FROM changed_before t) befores
        ON coalesce(a->'id', a->'application_id') = coalesce(b->'id', b->'application_id') HAVING count(*) > 0;
    ELSE
      PERFORM audit_note_as('update', noun, organization, NULL, count) FROM
        (SELECT (to_jsonb(t)->>owner)::int organization, count(*) FROM changed_after t GROUP BY 1) owners;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  audited record;
BEGIN
  FOR audited IN SELECT * FROM (VALUES
    ('organizations', 'organization'), ('projects', 'project'), ('applications', 'application'), ('events', 'event'),
    ('status_webhooks', 'status webhook'), ('channels', 'channel'), ('users', 'user'), ('addresses', 'address'),
    ('distribution_lists', 'distribution list'), ('members', 'member'), ('notifications', 'notification'),
    ('notification_lists', 'notification list'), ('templates', 'template'), ('api_keys', 'API key')
  ) t(name, noun) LOOP
    EXECUTE format('CREATE TRIGGER audit_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
    EXECUTE format('CREATE TRIGGER audit_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_before '
                   'FOR EACH STATEMENT EXECUTE FUNCTION audit(%L)', audited.name, audited.noun);
  END LOOP;
END
$$;

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
