-- A suppression belongs to the owner of the channel that reported it. Null: to the organization, as those that are stored already.
ALTER TABLE "suppressions" ADD COLUMN "project_id" INTEGER;
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id")
  REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- Punycode of one label of a domain (RFC 3492), without its prefix.
CREATE FUNCTION punycode(label text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  points int[] := ARRAY(SELECT ascii(c) FROM regexp_split_to_table(label, '') WITH ORDINALITY t(c, place) ORDER BY place);
  digits text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  output text := (SELECT coalesce(string_agg(chr(p), '' ORDER BY place), '') FROM unnest(points) WITH ORDINALITY t(p, place) WHERE p < 128);
  basic int := length(output);
  handled int := basic;
  n int := 128;
  delta bigint := 0;
  bias int := 72;
  next_n int;
  q bigint;
  k int;
  t int;
  point int;
BEGIN
  IF basic > 0 THEN output := output || '-'; END IF;
  WHILE handled < cardinality(points) LOOP
    SELECT min(p) INTO next_n FROM unnest(points) u(p) WHERE p >= n;
    delta := delta + (next_n - n)::bigint * (handled + 1);
    n := next_n;
    FOREACH point IN ARRAY points LOOP
      IF point < n THEN delta := delta + 1; END IF;
      IF point = n THEN
        q := delta;
        k := 36;
        LOOP
          t := least(greatest(k - bias, 1), 26);
          EXIT WHEN q < t;
          output := output || substr(digits, (t + (q - t) % (36 - t))::int + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        END LOOP;
        output := output || substr(digits, q::int + 1, 1);
        delta := delta / CASE WHEN handled = basic THEN 700 ELSE 2 END;
        delta := delta + delta / (handled + 1);
        k := 0;
        WHILE delta > 455 LOOP
          delta := delta / 35;
          k := k + 36;
        END LOOP;
        bias := k + (36 * delta / (delta + 38))::int;
        delta := 0;
        handled := handled + 1;
      END IF;
    END LOOP;
    delta := delta + 1;
    n := n + 1;
  END LOOP;
  RETURN output;
END
$$;

-- An address with letters beyond ASCII: the part before the @ composed (NFC), the domain as the DNS has it.
CREATE FUNCTION address_key_beyond_ascii(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN address !~ '@' THEN normalize(lower(normalize(address, NFC)), NFC)
    ELSE normalize(lower(normalize(regexp_replace(address, '@[^@]*$', ''), NFC)), NFC) || '@' || (
      SELECT string_agg(CASE WHEN label ~ '[^\x01-\x7f]' THEN 'xn--' || punycode(label) ELSE label END, '.' ORDER BY place)
      FROM regexp_split_to_table(normalize(lower(normalize(substring(address from '[^@]*$'), NFKC)), NFKC), '\.') WITH ORDINALITY t(label, place)) END
$$;

-- The form in which addresses are compared: upper and lower case, the two ways to write an accent (NFC and NFD), and the two ways to write a
-- domain (with letters beyond ASCII, or as punycode) are the same. Written so that PostgreSQL inlines it: most addresses cost one comparison.
CREATE FUNCTION address_key(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN address ~ '[^\x01-\x7f]' THEN address_key_beyond_ascii(address) ELSE lower(address) END
$$;

-- The `value_key` of a suppression. Those of a project have its id in it, because the unique index that the previous release needs has no
-- column for it. No address contains a line feed.
CREATE FUNCTION suppression_key(address text, project int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT address_key(address) || coalesce(E'\n' || project, '')
$$;

-- With the id of the project after a slash, if the suppression was one of a project.
CREATE OR REPLACE FUNCTION erased_digest(key bytea, name text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(key || sha256(key || convert_to(name || '/' || address_key(value), 'UTF8'))), 'hex')
$$;

CREATE OR REPLACE FUNCTION restore_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM erasure_keys k WHERE k.organization_id IN (SELECT organization_id FROM added)) THEN
    WITH known AS MATERIALIZED (
      SELECT a.organization_id, a.name, a.value, erased_digest(k.key, a.name, a.value) digest
      FROM added a JOIN erasure_keys k USING (organization_id)
    ), scoped AS MATERIALIZED (
      SELECT *, NULL::int project_id FROM known
      UNION ALL
      SELECT k.organization_id, k.name, k.value, k.digest || '/' || p.id, p.id FROM known k JOIN projects p USING (organization_id)
    ), back AS (
      DELETE FROM erased_suppressions e USING scoped s
      WHERE e.organization_id = s.organization_id AND e.name = s.name AND e.digest = s.digest
      RETURNING e.organization_id, s.project_id, e.name, s.value, e.cause, e.created_at, e.expires_at
    )
    INSERT INTO suppressions (organization_id, project_id, name, value, value_key, cause, evidence, created_at, expires_at)
    SELECT DISTINCT ON (organization_id, name, suppression_key(value, project_id), cause) organization_id, project_id, name, value,
           suppression_key(value, project_id), cause, '{"note": "The address was suppressed before the data of its user was erased."}', created_at, expires_at
    FROM back
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
