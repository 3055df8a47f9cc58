-- baseline: replaces 20261123214000_the_owner_keeps_the_delivery_index
-- The schema of a new database. A database that has the migration named above has this schema already: docs/upgrades.md, "The baseline".
-- Columns, indexes and foreign keys stand in the order in which the migrations before 1.0.0-rc.1 added them, so that both have the same order.

CREATE TYPE occurrence_status AS ENUM ('pending', 'expanding', 'expanded', 'canceled', 'failed', 'held');
CREATE TYPE delivery_status AS ENUM ('pending', 'sent', 'skipped', 'dead');
CREATE TYPE gate AS ENUM ('inactive', 'locked', 'no_address', 'channel_disabled', 'expired', 'canceled', 'opted_out', 'suppressed', 'capped', 'digested');
CREATE TYPE attempt_outcome AS ENUM ('sent', 'rejected', 'retry');
CREATE TYPE switch AS ENUM ('project', 'application', 'event', 'notification', 'channel');
CREATE TYPE job_state AS ENUM ('ready', 'scheduled', 'running', 'paused');
CREATE TYPE per AS ENUM ('room', 'person');
CREATE TYPE category_default AS ENUM ('on', 'off', 'required');
CREATE TYPE chosen_by AS ENUM ('person', 'key', 'link');
CREATE TYPE suppression_cause AS ENUM ('hard_bounce', 'complaint', 'stop', 'manual');
CREATE TYPE waits_for AS ENUM ('quiet', 'window', 'digest');

CREATE TABLE organizations (
  id serial,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  quotas jsonb DEFAULT '{}'::jsonb NOT NULL,
  color text,
  message_limit jsonb,
  quiet_hours jsonb,
  time_zone text,
  origins text[] DEFAULT ARRAY[]::text[],
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE projects (
  id serial,
  organization_id integer NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  CONSTRAINT projects_pkey PRIMARY KEY (id)
);

CREATE TABLE applications (
  id serial,
  organization_id integer NOT NULL,
  project_id integer NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  CONSTRAINT applications_pkey PRIMARY KEY (id)
);

CREATE TABLE events (
  id serial,
  organization_id integer NOT NULL,
  application_id integer NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  ruleset_id integer,
  retention_days integer,
  enabled boolean DEFAULT true NOT NULL,
  max_recipients integer,
  category_id integer,
  CONSTRAINT events_pkey PRIMARY KEY (id)
);

CREATE TABLE channels (
  id serial,
  organization_id integer NOT NULL,
  project_id integer,
  slug text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  config jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  fallback_id integer,
  CONSTRAINT channels_pkey PRIMARY KEY (id)
);

CREATE TABLE users (
  id serial,
  organization_id integer NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text DEFAULT ''::text NOT NULL,
  last_name text DEFAULT ''::text NOT NULL,
  locked boolean DEFAULT false NOT NULL,
  custom_fields jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  quiet_hours jsonb,
  time_zone text,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE addresses (
  id serial,
  organization_id integer NOT NULL,
  user_id integer NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  CONSTRAINT addresses_pkey PRIMARY KEY (id)
);

CREATE TABLE distribution_lists (
  id serial,
  organization_id integer NOT NULL,
  project_id integer NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT distribution_lists_pkey PRIMARY KEY (id)
);

CREATE TABLE members (
  id serial,
  organization_id integer NOT NULL,
  list_id integer NOT NULL,
  user_id integer NOT NULL,
  address_id integer NOT NULL,
  channel_id integer,
  active boolean DEFAULT true NOT NULL,
  CONSTRAINT members_pkey PRIMARY KEY (id)
);

CREATE TABLE api_keys (
  id serial,
  organization_id integer,
  project_id integer,
  application_id integer,
  name text NOT NULL,
  permissions text[],
  hash bytea NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  rate_limit integer,
  rate_limit_of integer,
  via text,
  parent_id integer,
  person text,
  provider text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  -- MATCH SIMPLE foreign keys do not look at a row with a NULL among their columns, so a key must name all its parents.
  CONSTRAINT api_keys_parents_check CHECK ((((project_id IS NULL) OR (organization_id IS NOT NULL)) AND ((application_id IS NULL) OR (project_id IS NOT NULL)))),
  -- A session has an end, and only a session has a parent, a person or a provider.
  CONSTRAINT api_keys_session_check CHECK (
CASE
    WHEN (via IS NULL) THEN ((parent_id IS NULL) AND (person IS NULL) AND (provider IS NULL))
    ELSE ((via = ANY (ARRAY['key'::text, 'link'::text, 'oidc'::text])) AND (expires_at IS NOT NULL))
END)
);

CREATE TABLE occurrences (
  id uuid NOT NULL,
  organization_id integer NOT NULL,
  event_id integer NOT NULL,
  context jsonb NOT NULL,
  options jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  checkpoint jsonb,
  decisions jsonb,
  ruleset_id integer,
  status occurrence_status DEFAULT 'pending'::occurrence_status NOT NULL,
  canceled_at timestamptz(3),
  expanded_at timestamptz(3),
  problem text,
  approved_at timestamptz(3),
  digest jsonb,
  held_at timestamptz(3),
  CONSTRAINT occurrences_pkey PRIMARY KEY (id)
);

CREATE TABLE idempotency_keys (
  event_id integer NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  occurrence_id uuid NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (event_id, key)
);

CREATE TABLE notifications (
  id serial,
  organization_id integer NOT NULL,
  event_id integer NOT NULL,
  name text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  "when" text,
  audience jsonb,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  digest jsonb,
  message_limit jsonb,
  send_window jsonb,
  CONSTRAINT notifications_pkey PRIMARY KEY (id)
);

CREATE TABLE notification_lists (
  organization_id integer NOT NULL,
  notification_id integer NOT NULL,
  list_id integer NOT NULL,
  CONSTRAINT notification_lists_pkey PRIMARY KEY (notification_id, list_id)
);

CREATE TABLE templates (
  id serial,
  organization_id integer NOT NULL,
  notification_id integer NOT NULL,
  channel_id integer NOT NULL,
  subject text,
  text text,
  html text,
  markdown text,
  per per DEFAULT 'person'::per NOT NULL,
  CONSTRAINT templates_pkey PRIMARY KEY (id)
);

CREATE TABLE rulesets (
  id serial,
  organization_id integer NOT NULL,
  event_id integer NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  superseded_at timestamptz(3),
  versions integer[],
  CONSTRAINT rulesets_pkey PRIMARY KEY (id)
);

CREATE TABLE deliveries (
  id bigserial,
  occurrence_id uuid NOT NULL,
  organization_id integer NOT NULL,
  notification_id integer NOT NULL,
  channel_id integer NOT NULL,
  user_id integer NOT NULL,
  address_id integer,
  attempts smallint DEFAULT 0 NOT NULL,
  status delivery_status NOT NULL,
  gate gate,
  next_attempt_at timestamptz(3),
  reason text,
  attempts_before smallint DEFAULT 0 NOT NULL,
  fallback_of bigint,
  pending_since timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  lot bigint,
  template_channel_id integer,
  carried_by bigint,
  digest_id bigint,
  waits_for waits_for,
  waits_until timestamptz(3),
  evidence jsonb,
  CONSTRAINT deliveries_pkey PRIMARY KEY (id)
);

CREATE TABLE attempts (
  delivery_id bigint NOT NULL,
  number smallint NOT NULL,
  at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  outcome attempt_outcome NOT NULL,
  answer text NOT NULL,
  CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, number)
);

CREATE TABLE inbox_messages (
  id serial,
  organization_id integer NOT NULL,
  user_id integer NOT NULL,
  delivery_id bigint,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  read_at timestamptz(3),
  application_id integer,
  archived_at timestamptz(3),
  seen_at timestamptz(3),
  CONSTRAINT inbox_messages_pkey PRIMARY KEY (id)
);

CREATE TABLE status_webhooks (
  application_id integer NOT NULL,
  organization_id integer NOT NULL,
  url text NOT NULL,
  secret text NOT NULL,
  outcomes text[],
  enabled boolean DEFAULT true NOT NULL,
  CONSTRAINT status_webhooks_pkey PRIMARY KEY (application_id)
);

CREATE TABLE channel_states (
  channel_id integer NOT NULL,
  next_send_at timestamp(6) with time zone,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamptz(3),
  probe_at timestamptz(3),
  refused integer[] DEFAULT ARRAY[]::integer[],
  CONSTRAINT channel_states_pkey PRIMARY KEY (channel_id)
);

CREATE TABLE messages (
  delivery_id bigint NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  CONSTRAINT messages_pkey PRIMARY KEY (delivery_id)
);

CREATE TABLE audit_entries (
  id bigserial,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  organization_id integer,
  key_id integer,
  actor text NOT NULL,
  request_id text,
  verb text NOT NULL,
  noun text NOT NULL,
  name text,
  count integer DEFAULT 1 NOT NULL,
  changes jsonb,
  address text,
  digest bytea,
  "position" bigint,
  salt bytea,
  seal bytea,
  user_id integer,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id)
);

-- Rows live for some milliseconds, and a worker that looks for a job has to skip the dead ones: autovacuum starts early.
CREATE TABLE jobs (
  id bigserial,
  task text NOT NULL,
  organization_id integer NOT NULL,
  lane text DEFAULT ''::text NOT NULL,
  priority smallint DEFAULT 0 NOT NULL,
  state job_state DEFAULT 'ready'::job_state NOT NULL,
  run_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  size integer DEFAULT 1 NOT NULL,
  payload jsonb NOT NULL,
  key text,
  attempts smallint DEFAULT 0 NOT NULL,
  worker bigint,
  taken_at timestamptz(3),
  switch switch,
  switch_id integer,
  paused_at timestamptz(3),
  problem text,
  CONSTRAINT jobs_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, autovacuum_analyze_scale_factor=0.5, autovacuum_analyze_threshold=20000);

CREATE TABLE rule_versions (
  id serial,
  organization_id integer NOT NULL,
  event_id integer NOT NULL,
  hash bytea NOT NULL,
  rule jsonb NOT NULL,
  bytes integer NOT NULL,
  CONSTRAINT rule_versions_pkey PRIMARY KEY (id)
);

CREATE TABLE organization_usage (
  organization_id integer NOT NULL,
  stored_bytes bigint DEFAULT 0 NOT NULL,
  measured_at timestamptz(3),
  is_near_quota boolean DEFAULT false NOT NULL,
  CONSTRAINT organization_usage_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE categories (
  id serial,
  organization_id integer NOT NULL,
  project_id integer NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  "default" category_default DEFAULT 'on'::category_default NOT NULL,
  channels jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT categories_pkey PRIMARY KEY (id)
);

CREATE TABLE preferences (
  id serial,
  organization_id integer NOT NULL,
  user_id integer NOT NULL,
  category_id integer,
  event_id integer,
  channel_type text DEFAULT ''::text NOT NULL,
  is_on boolean NOT NULL,
  chosen_by chosen_by NOT NULL,
  chosen_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT preferences_pkey PRIMARY KEY (id),
  CONSTRAINT preferences_about_check CHECK ((((category_id IS NULL) OR (event_id IS NULL)) AND ((category_id IS NOT NULL) OR (event_id IS NOT NULL) OR (channel_type <> ''::text))))
);

CREATE TABLE suppressions (
  id serial,
  organization_id integer NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  value_key text NOT NULL,
  cause suppression_cause NOT NULL,
  evidence jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3),
  project_id integer,
  CONSTRAINT suppressions_pkey PRIMARY KEY (id)
);

CREATE TABLE digests (
  id bigserial,
  organization_id integer NOT NULL,
  notification_id integer NOT NULL,
  channel_id integer NOT NULL,
  user_id integer NOT NULL,
  key text DEFAULT ''::text NOT NULL,
  opened_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  due_at timestamptz(3) NOT NULL,
  items integer DEFAULT 0 NOT NULL,
  settings jsonb NOT NULL,
  CONSTRAINT digests_pkey PRIMARY KEY (id)
);

CREATE TABLE message_counts (
  organization_id integer NOT NULL,
  notification_id integer NOT NULL,
  channel_id integer NOT NULL,
  user_id integer NOT NULL,
  key text DEFAULT ''::text NOT NULL,
  since timestamptz(3) NOT NULL,
  messages integer NOT NULL,
  CONSTRAINT message_counts_pkey PRIMARY KEY (organization_id, notification_id, channel_id, user_id, key, since)
);

CREATE TABLE soft_failures (
  organization_id integer NOT NULL,
  name text NOT NULL,
  value_key text NOT NULL,
  failures integer NOT NULL,
  since timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT soft_failures_pkey PRIMARY KEY (organization_id, name, value_key)
);

CREATE TABLE signing_secrets (
  id serial,
  organization_id integer NOT NULL,
  kid text NOT NULL,
  name text NOT NULL,
  secret text NOT NULL,
  is_held boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  revoked_at timestamptz(3),
  CONSTRAINT signing_secrets_pkey PRIMARY KEY (id)
);

CREATE TABLE cells (
  number integer NOT NULL,
  url text NOT NULL,
  seen_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT cells_pkey PRIMARY KEY (number),
  CONSTRAINT cells_number_check CHECK (((number >= 0) AND (number <= 15)))
);

CREATE TABLE places (
  slug text NOT NULL,
  organization_id integer,
  cell integer NOT NULL,
  state text NOT NULL,
  target integer,
  changed_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT places_pkey PRIMARY KEY (slug),
  CONSTRAINT places_state_check CHECK (((state = ANY (ARRAY['claimed'::text, 'here'::text, 'moving'::text, 'gone'::text])) AND ((state = 'moving'::text) = (target IS NOT NULL)) AND ((state <> ALL (ARRAY['here'::text, 'moving'::text])) OR (organization_id IS NOT NULL))))
);

CREATE TABLE organization_freezes (
  organization_id integer NOT NULL,
  since timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT organization_freezes_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE own_cell (
  id integer DEFAULT 1 NOT NULL,
  number integer NOT NULL,
  CONSTRAINT own_cell_pkey PRIMARY KEY (id),
  CONSTRAINT own_cell_one_row CHECK (((id = 1) AND ((number >= 0) AND (number <= 15))))
);

CREATE TABLE moves (
  id uuid NOT NULL,
  organization_id integer NOT NULL,
  slug text NOT NULL,
  source integer NOT NULL,
  target integer NOT NULL,
  phase text NOT NULL,
  progress jsonb DEFAULT '{}'::jsonb NOT NULL,
  started_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  frozen_at timestamptz(3),
  switched_at timestamptz(3),
  ended_at timestamptz(3),
  CONSTRAINT moves_pkey PRIMARY KEY (id),
  CONSTRAINT moves_phase_check CHECK ((phase = ANY (ARRAY['copying'::text, 'holding'::text, 'copying the rest'::text, 'comparing'::text, 'switching'::text, 'done'::text, 'deleting'::text, 'finished'::text, 'undoing'::text, 'undone'::text, 'incoming'::text])))
);

CREATE TABLE move_changes (
  id bigserial,
  table_name text NOT NULL,
  key text[],
  CONSTRAINT move_changes_pkey PRIMARY KEY (id)
);

CREATE TABLE id_orders (
  organization_id integer NOT NULL,
  spans jsonb NOT NULL,
  CONSTRAINT id_orders_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE message_places (
  delivery_id bigint NOT NULL,
  notification_id integer NOT NULL,
  organization_id integer NOT NULL,
  channel_id integer NOT NULL,
  user_id integer NOT NULL,
  key text DEFAULT ''::text NOT NULL,
  since timestamptz(3) NOT NULL,
  is_kept boolean DEFAULT false NOT NULL,
  CONSTRAINT message_places_pkey PRIMARY KEY (delivery_id, notification_id)
);

CREATE TABLE erasure_keys (
  organization_id integer NOT NULL,
  key bytea NOT NULL,
  CONSTRAINT erasure_keys_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE erased_suppressions (
  organization_id integer NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  cause suppression_cause NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  CONSTRAINT erased_suppressions_pkey PRIMARY KEY (organization_id, name, digest, cause)
);

-- Where a row stands below its organization, as far as that still exists when a whole branch is deleted.
CREATE FUNCTION audit_place(r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', p.slug, a.slug, e.slug, n.name, l.name)
  FROM (SELECT) nothing
  LEFT JOIN notifications n ON n.id = (r->>'notification_id')::int
  LEFT JOIN events e ON e.id = coalesce((r->>'event_id')::int, n.event_id)
  LEFT JOIN applications a ON a.id = coalesce((r->>'application_id')::int, e.application_id)
  LEFT JOIN distribution_lists l ON l.id = (r->>'list_id')::int AND n.id IS NULL
  -- A choice about a category; an event has a category too, which says nothing new about its place.
  LEFT JOIN categories c ON c.id = (r->>'category_id')::int AND r ? 'chosen_by'
  LEFT JOIN projects p ON p.id = coalesce((r->>'project_id')::int, a.project_id, l.project_id, c.project_id)
$$;

-- The name of a person whose data is redacted.
CREATE FUNCTION audit_person(id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT format('[user %s]', id) $$;

-- The user that a row is about, if it is about one.
CREATE FUNCTION audit_person_of(noun text, r jsonb) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE noun WHEN 'user' THEN r->>'id' WHEN 'address' THEN r->>'user_id' WHEN 'member' THEN r->>'user_id'
                    WHEN 'preference' THEN r->>'user_id' END)::int
$$;

-- What a person calls the row.
CREATE FUNCTION audit_label(noun text, r jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE noun
    WHEN 'user' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'address' THEN coalesce((SELECT email || '/' || (r->>'name') FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    WHEN 'member' THEN coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r)))
    -- Ends with the person: then a redaction keeps what the choice was about.
    WHEN 'preference' THEN concat_ws('/', (SELECT slug FROM categories WHERE id = (r->>'category_id')::int), nullif(r->>'channel_type', ''),
                                     coalesce((SELECT email FROM users WHERE id = audit_person_of(noun, r)), audit_person(audit_person_of(noun, r))))
    WHEN 'suppression' THEN concat_ws('/', r->>'name', r->>'value')
    WHEN 'template' THEN (SELECT slug FROM channels WHERE id = (r->>'channel_id')::int)
    WHEN 'notification list' THEN (SELECT name FROM distribution_lists WHERE id = (r->>'list_id')::int)
    ELSE coalesce(r->>'slug', r->>'name')
  END
$$;

-- A row's fields one by one, without what is derived or no news. Secrets are still in it: they must be compared.
CREATE FUNCTION audit_fields(r jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT r - ARRAY['config', 'id', 'organization_id', 'project_id', 'application_id', 'event_id', 'notification_id', 'list_id',
                   'user_id', 'address_id', 'hash', 'last_used_at', 'ruleset_id', 'created_at', 'email_key', 'name_key', 'value_key', 'chosen_at']
         || coalesce((SELECT jsonb_object_agg('config.' || key, value) FROM jsonb_each(r->'config')), '{}')
$$;

CREATE FUNCTION audit_shown(field text, value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN value = 'null' OR value IS NULL THEN 'null'
              WHEN field IN ('fallback_id', 'channel_id') THEN coalesce((SELECT to_jsonb(slug) FROM channels WHERE id = value::int), value)
              WHEN field = 'category_id' THEN coalesce((SELECT to_jsonb(slug) FROM categories WHERE id = value::int), value)
              WHEN field = 'secret' OR (field LIKE 'config.%' AND jsonb_typeof(value) = 'object') THEN '"***"'
              ELSE value END
$$;

-- {"field": [before, after]} of what differs; none: nothing does.
CREATE FUNCTION audit_changes(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_object_agg(regexp_replace(key, '^(fallback|channel|category)_id$', '\1'), jsonb_build_array(audit_shown(key, b.value), audit_shown(key, a.value)))
  FROM jsonb_each(audit_fields(before)) b FULL JOIN jsonb_each(audit_fields(after)) a USING (key)
  WHERE coalesce(b.value, 'null') IS DISTINCT FROM coalesce(a.value, 'null')
$$;

CREATE FUNCTION audit_by() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('carillon.by', true), '')::jsonb
$$;

-- Keeps the names of the fields, and which of them were null.
CREATE FUNCTION audit_redacted_changes(changes jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, (SELECT jsonb_agg(CASE WHEN v = 'null' THEN v ELSE '"[redacted]"' END) FROM jsonb_array_elements(value) v))
  FROM jsonb_each(changes)
$$;

-- Sessions are keys in this table only: the log calls them by their own name. A session that ended by itself is no news when it is purged.
CREATE FUNCTION audit_note(verb text, noun text, owners int[], befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
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

-- One entry without its fields: of many rows, or of what was done to an occurrence, whose table workers write all the time.
CREATE FUNCTION audit_note_as(verb text, noun text, owner int, name text, count bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (organization_id, key_id, actor, request_id, address, verb, noun, name, count)
  SELECT owner, (by->>'key')::int, coalesce(by->>'actor', 'database user ' || session_user), by->>'request', by->>'address', verb, noun, name, count
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

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;

-- Wakes the workers. New occurrences are left out: NOTIFY takes a lock of the whole server until its transaction is on disk, so triggers would
-- wait for each other. The process that stores them announces them after the commit, in another transaction that waits for no disk.
CREATE FUNCTION "notify_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE state = 'ready' AND task <> 'expand') THEN
    PERFORM pg_notify('carillon_jobs', 'others');
  END IF;
  RETURN NULL;
END $$;

-- PostgreSQL deletes the children of a row after the row itself, and then their audit entries could not name the parent: `ann@acme.test`
-- instead of `shop/Staff/ann@acme.test`. Here the children go first, while the path above them is still there. The arguments are pairs of
-- a table and its column, in an order in which no row is deleted that another row still refers to.
--
-- Organizations need no such trigger: a path begins below them. Users need none: see `audit_label`.
CREATE FUNCTION audit_children_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 0 .. TG_NARGS - 2 BY 2 LOOP
    -- With the organization: the keys of a project have no other index.
    EXECUTE format('DELETE FROM %I WHERE %I = $1 AND organization_id = $2', TG_ARGV[i], TG_ARGV[i + 1])
    USING OLD.id, OLD.organization_id;
  END LOOP;
  RETURN OLD;
END
$$;

-- The name of an entry about a person, without the person's e-mail. A member keeps the path of the list.
CREATE FUNCTION audit_redacted_name(name text, email text, id int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN right(name, length(email) + 1) = '/' || email THEN left(name, -length(email)) || audit_person(id)
              WHEN right(name, length(audit_person(id)) + 1) = '/' || audit_person(id) THEN name
              ELSE audit_person(id) END
$$;

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

-- Suppressions have no user: the entries about an erased address lose it too.
CREATE FUNCTION audit_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- PostgreSQL makes five plans for the values it is given before it keeps one for all values, and the functions of the audit log are called
-- anew for each statement. They only look up rows by their id: one plan is always right. A written row takes 0.9 ms of CPU time instead of 2.4.
ALTER FUNCTION audit() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION audit_redact() SET plan_cache_mode = force_generic_plan;

-- A zone that this server does not know counts as UTC.
CREATE FUNCTION known_zone(zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END
$$;

-- What the clock of a zone shows, less UTC.
CREATE FUNCTION offset_of(at timestamptz, zone text) RETURNS interval LANGUAGE sql STABLE AS $$
  SELECT (at AT TIME ZONE zone) - (at AT TIME ZONE 'UTC')
$$;

-- Whether a local time lies in one of some weekly ranges. A range belongs to the day on which it begins. If it ends before it begins, it
-- ends on the next day.
CREATE FUNCTION in_ranges(local timestamp, ranges jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(bool_or(
           CASE WHEN r.starts < r.ends THEN today AND clock >= r.starts AND clock < r.ends
                ELSE today AND clock >= r.starts OR yesterday AND clock < r.ends END), false)
  FROM jsonb_array_elements(ranges) range,
       LATERAL (SELECT local::time clock, (range->>'from')::time starts, (range->>'to')::time ends, coalesce(range->'days', 'null') days,
                       ARRAY['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] names) r,
       LATERAL (SELECT days = 'null' OR days ? names[extract(isodow FROM local)::int] today,
                       days = 'null' OR days ? names[extract(isodow FROM local - interval '1 day')::int] yesterday) d
$$;

-- The first instant, from `at` on, that is outside all quiet ranges and inside the window, by the clock of the zone. If no such instant
-- comes within a week, the window yields: quiet hours are the person's own choice.
--
-- The candidates are the ends of quiet ranges and the beginnings of the window. Around a clock change a local time may happen twice, or not
-- at all, so each is tried with the offset of the day before and with that of the day after. The clock change itself, which happens at a full or
-- half hour, may end quiet hours or open the window too. What the clock shows decides.
CREATE FUNCTION first_allowed(at timestamptz, zone text, quiet jsonb, send_window jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  windows jsonb := CASE WHEN send_window IS NOT NULL THEN jsonb_build_array(send_window) END;
  found timestamptz;
BEGIN
  zone := known_zone(coalesce(zone, 'UTC'));
  IF NOT in_ranges(at AT TIME ZONE zone, quiet) AND (windows IS NULL OR in_ranges(at AT TIME ZONE zone, windows)) THEN
    RETURN at;
  END IF;
  WITH edges AS (
    SELECT range->>'to' clock FROM jsonb_array_elements(quiet) range UNION SELECT send_window->>'from' WHERE send_window IS NOT NULL
  ), days AS (
    SELECT midnight, offset_of((midnight - interval '1 day') AT TIME ZONE 'UTC', zone) before,
           offset_of((midnight + interval '2 days') AT TIME ZONE 'UTC', zone) after
    FROM generate_series(-1, 8) day, LATERAL (SELECT ((at AT TIME ZONE zone)::date + day)::timestamp midnight) m
  ), candidates AS (
    SELECT (midnight + clock::interval - shift) AT TIME ZONE 'UTC' instant
    FROM days, edges, LATERAL (SELECT before UNION SELECT after) shifts(shift)
    UNION ALL
    SELECT instant
    FROM days, LATERAL (SELECT (midnight + half * interval '30 minutes') AT TIME ZONE 'UTC' instant FROM generate_series(1, 48) half) h
    WHERE before <> after AND offset_of(instant - interval '1 minute', zone) <> offset_of(instant, zone)
  )
  SELECT min(instant) INTO found FROM candidates
  WHERE instant > at AND NOT in_ranges(instant AT TIME ZONE zone, quiet)
    AND (windows IS NULL OR in_ranges(instant AT TIME ZONE zone, windows));
  IF found IS NULL AND send_window IS NOT NULL THEN
    RETURN first_allowed(at, zone, quiet, NULL);
  END IF;
  RETURN coalesce(found, at);
END
$$;

-- When the minute, hour, day or week began, by the clock of the zone.
CREATE FUNCTION period_start(at timestamptz, per text, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc(per, at AT TIME ZONE known) AT TIME ZONE known FROM known_zone(zone) known
$$;

-- Notes that a row has changed while its organization is copied, and refuses the change while the rest is copied: what is written from
-- then on would be lost. The move creates triggers that call it, only for the rows of its organization, and drops them at its end. The
-- arguments are the organization and the columns of the primary key. The lock lets the move wait until every earlier change has ended.
CREATE FUNCTION "move_note"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization int := TG_ARGV[0];
  changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7261021, organization);
  IF EXISTS (SELECT FROM moves WHERE organization_id = organization AND phase IN ('copying the rest', 'comparing', 'switching', 'done')) THEN
    RAISE EXCEPTION 'the organization is moving to another cell' USING ERRCODE = 'lock_not_available';
  END IF;
  INSERT INTO move_changes (table_name, key)
  SELECT TG_TABLE_NAME, array_agg(changed->>name ORDER BY place) FROM unnest(TG_ARGV[1:]) WITH ORDINALITY k(name, place);
  RETURN NULL;
END
$$;

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

-- With the id of the project after a slash, if the suppression was one of a project.
CREATE FUNCTION erased_digest(key bytea, name text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(key || sha256(key || convert_to(name || '/' || address_key(value), 'UTF8'))), 'hex')
$$;

-- The `value_key` of a suppression. Those of a project have its id in it, because the unique index has no column for it. No address contains a line feed.
CREATE FUNCTION suppression_key(address text, project int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT address_key(address) || coalesce(E'\n' || project, '')
$$;

-- Suppresses an address again that comes back after its user was erased, whoever adds it: HTTP, a file, a command or SQL.
CREATE FUNCTION restore_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE UNIQUE INDEX organizations_slug_key ON organizations (slug);
CREATE UNIQUE INDEX projects_organization_id_slug_key ON projects (organization_id, slug);
CREATE UNIQUE INDEX projects_id_organization_id_key ON projects (id, organization_id);
CREATE UNIQUE INDEX applications_project_id_slug_key ON applications (project_id, slug);
CREATE UNIQUE INDEX applications_id_organization_id_key ON applications (id, organization_id);
CREATE UNIQUE INDEX applications_id_project_id_key ON applications (id, project_id);
CREATE UNIQUE INDEX events_application_id_slug_key ON events (application_id, slug);
CREATE UNIQUE INDEX events_id_organization_id_key ON events (id, organization_id);
CREATE INDEX channels_organization_id_idx ON channels (organization_id);
CREATE UNIQUE INDEX channels_project_id_slug_key ON channels (project_id, slug);
CREATE UNIQUE INDEX channels_id_organization_id_key ON channels (id, organization_id);
CREATE INDEX users_organization_id_id_idx ON users (organization_id, id);
CREATE UNIQUE INDEX users_organization_id_email_key_key ON users (organization_id, email_key);
CREATE UNIQUE INDEX users_id_organization_id_key ON users (id, organization_id);
CREATE UNIQUE INDEX addresses_user_id_name_value_key ON addresses (user_id, name, value);
CREATE UNIQUE INDEX addresses_id_user_id_key ON addresses (id, user_id);
CREATE INDEX distribution_lists_project_id_id_idx ON distribution_lists (project_id, id);
CREATE UNIQUE INDEX distribution_lists_project_id_name_key_key ON distribution_lists (project_id, name_key);
CREATE UNIQUE INDEX distribution_lists_id_organization_id_key ON distribution_lists (id, organization_id);
CREATE INDEX members_list_id_id_idx ON members (list_id, id);
CREATE INDEX members_user_id_idx ON members (user_id);
CREATE INDEX members_channel_id_idx ON members (channel_id);
CREATE UNIQUE INDEX members_list_id_address_id_key ON members (list_id, address_id);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_organization_id_idx ON api_keys (organization_id);
CREATE INDEX occurrences_event_id_id_idx ON occurrences (event_id, id);
CREATE UNIQUE INDEX idempotency_keys_occurrence_id_key ON idempotency_keys (occurrence_id);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
-- The slugs of an organization's own channels: NULL project ids are distinct to the unique index above.
CREATE UNIQUE INDEX channels_organization_id_slug_key ON channels (organization_id, slug) WHERE (project_id IS NULL);
CREATE UNIQUE INDEX notifications_event_id_name_key ON notifications (event_id, name);
CREATE UNIQUE INDEX notifications_id_organization_id_key ON notifications (id, organization_id);
CREATE INDEX notification_lists_list_id_idx ON notification_lists (list_id);
CREATE INDEX templates_channel_id_idx ON templates (channel_id);
CREATE UNIQUE INDEX templates_notification_id_channel_id_key ON templates (notification_id, channel_id);
CREATE UNIQUE INDEX rulesets_id_organization_id_key ON rulesets (id, organization_id);
CREATE UNIQUE INDEX deliveries_occurrence_id_notification_id_channel_id_user_id_key ON deliveries (occurrence_id, notification_id, channel_id, user_id);
CREATE UNIQUE INDEX inbox_messages_delivery_id_key ON inbox_messages (delivery_id);
CREATE INDEX members_list_id_user_id_idx ON members (list_id, user_id);
CREATE UNIQUE INDEX status_webhooks_application_id_organization_id_key ON status_webhooks (application_id, organization_id);
CREATE INDEX channels_fallback_id_idx ON channels (fallback_id);
-- Which delivery stands in for another: few have one, and all others cost nothing.
CREATE INDEX deliveries_fallback_of_idx ON deliveries (fallback_of) WHERE (fallback_of IS NOT NULL);
CREATE INDEX audit_entries_organization_id_id_idx ON audit_entries (organization_id, id);
CREATE INDEX api_keys_application_id_idx ON api_keys (application_id);
CREATE UNIQUE INDEX jobs_key_key ON jobs (key);
-- One index for each state, so that a million scheduled or paused jobs cost the ready ones nothing. Workers walk the first two from one
-- organization and lane to the next.
CREATE INDEX jobs_ready_to_expand ON jobs (priority, organization_id, lane, run_at) WHERE ((state = 'ready'::job_state) AND (task = 'expand'::text));
CREATE INDEX jobs_ready ON jobs (priority, organization_id, lane, run_at) WHERE ((state = 'ready'::job_state) AND (task <> 'expand'::text));
CREATE INDEX jobs_scheduled ON jobs (run_at) WHERE (state = 'scheduled'::job_state);
CREATE INDEX jobs_running ON jobs (worker) WHERE (state = 'running'::job_state);
CREATE INDEX jobs_paused ON jobs (switch, switch_id) WHERE (state = 'paused'::job_state);
CREATE UNIQUE INDEX rule_versions_event_id_hash_key ON rule_versions (event_id, hash);
CREATE INDEX events_ruleset_id_idx ON events (ruleset_id);
CREATE INDEX occurrences_ruleset_id_idx ON occurrences (ruleset_id);
-- The purge finds rulesets that may be unused. Most are in force, so they are not in the index.
CREATE INDEX rulesets_superseded ON rulesets (event_id, superseded_at) WHERE (superseded_at IS NOT NULL);
-- For the metric that counts them.
CREATE INDEX organization_usage_near_quota ON organization_usage (organization_id) WHERE is_near_quota;
CREATE UNIQUE INDEX audit_entries_organization_id_position_key ON audit_entries (organization_id, "position");
CREATE INDEX audit_entries_user_id_idx ON audit_entries (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX audit_entries_unsealed_idx ON audit_entries (id) WHERE ("position" IS NULL);
CREATE UNIQUE INDEX categories_project_id_slug_key ON categories (project_id, slug);
CREATE UNIQUE INDEX categories_id_organization_id_key ON categories (id, organization_id);
CREATE INDEX preferences_category_id_idx ON preferences (category_id);
CREATE INDEX preferences_event_id_idx ON preferences (event_id);
CREATE INDEX suppressions_organization_id_id_idx ON suppressions (organization_id, id);
CREATE UNIQUE INDEX suppressions_organization_id_name_value_key_cause_key ON suppressions (organization_id, name, value_key, cause);
CREATE INDEX digests_organization_id_due_at_idx ON digests (organization_id, due_at);
CREATE UNIQUE INDEX digests_notification_id_channel_id_user_id_key_key ON digests (notification_id, channel_id, user_id, key);
CREATE INDEX message_counts_since_idx ON message_counts (since);
CREATE INDEX events_category_id_idx ON events (category_id);
-- One choice for each thing that can be chosen.
CREATE UNIQUE INDEX preferences_choice_key ON preferences (user_id, COALESCE(category_id, 0), COALESCE(event_id, 0), channel_type);
-- Small indexes: deliveries that wait for something else than an attempt, and people with quiet hours of their own.
CREATE INDEX deliveries_digest_id_idx ON deliveries (digest_id) WHERE (digest_id IS NOT NULL);
CREATE INDEX deliveries_carried_by_idx ON deliveries (carried_by) WHERE (carried_by IS NOT NULL);
-- Without the status: with it, no change of a status could be a HOT update.
CREATE INDEX deliveries_waiting_idx ON deliveries (user_id) WHERE (waits_for IS NOT NULL);
CREATE INDEX users_quiet_hours_idx ON users (organization_id) WHERE (quiet_hours IS NOT NULL);
CREATE INDEX suppressions_organization_id_value_key_id_idx ON suppressions (organization_id, value_key, id);
CREATE INDEX suppressions_organization_id_cause_id_idx ON suppressions (organization_id, cause, id);
-- For `?search=`. An import of people takes a third longer in the database with these four.
CREATE INDEX users_email_prefix_idx ON users (organization_id, email_key text_pattern_ops);
CREATE INDEX users_first_name_prefix_idx ON users (organization_id, lower(first_name) text_pattern_ops);
CREATE INDEX users_last_name_prefix_idx ON users (organization_id, lower(last_name) text_pattern_ops);
CREATE INDEX addresses_value_prefix_idx ON addresses (organization_id, lower(value) text_pattern_ops);
-- The deliveries of a person: docs/decisions/0017. Each 4 pages, about 330 rows, have a bloom filter of the people in them, of 410 bytes:
-- PostgreSQL tries to compress larger ones whenever a row is added. The service makes the summaries of new pages (`DeliveryIndex`).
CREATE INDEX deliveries_of_user_idx ON deliveries USING brin (id, user_id int4_bloom_ops (n_distinct_per_range='340', false_positive_rate='0.01')) WITH (pages_per_range='4', autosummarize=off);
CREATE INDEX audit_entries_organization_id_noun_id_idx ON audit_entries (organization_id, noun, id);
CREATE INDEX audit_entries_organization_id_actor_id_idx ON audit_entries (organization_id, actor, id);
CREATE INDEX audit_entries_organization_id_at_idx ON audit_entries (organization_id, at);
CREATE INDEX audit_entries_name_prefix_idx ON audit_entries (organization_id, name text_pattern_ops);
-- Neither index contains a status: with it, no change of a status could be a HOT update. They cost messages that are sent nothing.
CREATE INDEX occurrences_held_idx ON occurrences (organization_id, event_id, id) WHERE (held_at IS NOT NULL);
CREATE INDEX deliveries_dead_idx ON deliveries (organization_id, occurrence_id) WHERE (reason IS NOT NULL);
CREATE INDEX rulesets_event_id_id_idx ON rulesets (event_id, id);
CREATE INDEX api_keys_parent_id_idx ON api_keys (parent_id);
-- Few of the keys are sessions.
CREATE INDEX api_keys_sessions ON api_keys (organization_id) WHERE (via IS NOT NULL);
CREATE UNIQUE INDEX signing_secrets_kid_key ON signing_secrets (kid);
CREATE INDEX signing_secrets_organization_id_id_idx ON signing_secrets (organization_id, id);
CREATE UNIQUE INDEX signing_secrets_one_held ON signing_secrets (organization_id) WHERE (is_held AND (revoked_at IS NULL));
-- The inbox, newest first, without reading the messages that were archived.
CREATE INDEX inbox_messages_of_user ON inbox_messages (user_id, ((archived_at IS NULL)), id);
CREATE INDEX inbox_messages_unread ON inbox_messages (user_id, id) WHERE ((read_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX inbox_messages_unseen ON inbox_messages (user_id, id) WHERE ((seen_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX inbox_messages_archived ON inbox_messages (user_id, id) WHERE (archived_at IS NOT NULL);
CREATE INDEX places_changed_at_idx ON places (changed_at);
CREATE INDEX moves_organization_id_idx ON moves (organization_id);
CREATE INDEX message_places_user_id_notification_id_since_idx ON message_places (user_id, notification_id, since);
CREATE INDEX message_places_since_idx ON message_places (since);
CREATE INDEX suppressions_project_id_id_idx ON suppressions (project_id, id);
-- The jobs of an organization that wait for a time or a switch: for its summary, and for its deletion. Ready and running jobs are not in it, so a
-- message that is sent at once costs nothing more.
CREATE INDEX jobs_waiting_of_organization ON jobs (organization_id) WHERE (state = ANY (ARRAY['scheduled'::job_state, 'paused'::job_state]));

-- Only the owner of an index may summarize it. The service may connect with a role that owns nothing (docs/operations.md, "Roles"):
-- these functions run with the rights of the role that migrates.
CREATE FUNCTION summarize_deliveries() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT brin_summarize_new_values('deliveries_of_user_idx') $$;

CREATE FUNCTION refresh_delivery_index(first_page bigint, last_page bigint) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
  SELECT sum(brin_summarize_range('deliveries_of_user_idx', page))::int
  FROM (
    SELECT page, brin_desummarize_range('deliveries_of_user_idx', page) gone
    FROM generate_series(first_page, last_page, 4) page OFFSET 0
  ) pages
$$;

ALTER TABLE projects ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE applications ADD CONSTRAINT applications_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE events ADD CONSTRAINT events_application_id_organization_id_fkey FOREIGN KEY (application_id, organization_id) REFERENCES applications(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channels ADD CONSTRAINT channels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channels ADD CONSTRAINT channels_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE users ADD CONSTRAINT users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE addresses ADD CONSTRAINT addresses_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES users(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE distribution_lists ADD CONSTRAINT distribution_lists_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE members ADD CONSTRAINT members_list_id_organization_id_fkey FOREIGN KEY (list_id, organization_id) REFERENCES distribution_lists(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE members ADD CONSTRAINT members_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES users(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE members ADD CONSTRAINT members_address_id_user_id_fkey FOREIGN KEY (address_id, user_id) REFERENCES addresses(id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE members ADD CONSTRAINT members_channel_id_organization_id_fkey FOREIGN KEY (channel_id, organization_id) REFERENCES channels(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_application_id_project_id_fkey FOREIGN KEY (application_id, project_id) REFERENCES applications(id, project_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE occurrences ADD CONSTRAINT occurrences_event_id_organization_id_fkey FOREIGN KEY (event_id, organization_id) REFERENCES events(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_occurrence_id_fkey FOREIGN KEY (occurrence_id) REFERENCES occurrences(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE events ADD CONSTRAINT events_ruleset_id_organization_id_fkey FOREIGN KEY (ruleset_id, organization_id) REFERENCES rulesets(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE notifications ADD CONSTRAINT notifications_event_id_organization_id_fkey FOREIGN KEY (event_id, organization_id) REFERENCES events(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notification_lists ADD CONSTRAINT notification_lists_notification_id_organization_id_fkey FOREIGN KEY (notification_id, organization_id) REFERENCES notifications(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notification_lists ADD CONSTRAINT notification_lists_list_id_organization_id_fkey FOREIGN KEY (list_id, organization_id) REFERENCES distribution_lists(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE templates ADD CONSTRAINT templates_notification_id_organization_id_fkey FOREIGN KEY (notification_id, organization_id) REFERENCES notifications(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE templates ADD CONSTRAINT templates_channel_id_organization_id_fkey FOREIGN KEY (channel_id, organization_id) REFERENCES channels(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE rulesets ADD CONSTRAINT rulesets_event_id_organization_id_fkey FOREIGN KEY (event_id, organization_id) REFERENCES events(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_occurrence_id_fkey FOREIGN KEY (occurrence_id) REFERENCES occurrences(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE attempts ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE inbox_messages ADD CONSTRAINT inbox_messages_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES users(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE status_webhooks ADD CONSTRAINT status_webhooks_application_id_organization_id_fkey FOREIGN KEY (application_id, organization_id) REFERENCES applications(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channels ADD CONSTRAINT channels_fallback_id_organization_id_fkey FOREIGN KEY (fallback_id, organization_id) REFERENCES channels(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE channel_states ADD CONSTRAINT channel_states_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE messages ADD CONSTRAINT messages_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE inbox_messages ADD CONSTRAINT inbox_messages_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE rule_versions ADD CONSTRAINT rule_versions_event_id_organization_id_fkey FOREIGN KEY (event_id, organization_id) REFERENCES events(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE organization_usage ADD CONSTRAINT organization_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE events ADD CONSTRAINT events_category_id_organization_id_fkey FOREIGN KEY (category_id, organization_id) REFERENCES categories(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE categories ADD CONSTRAINT categories_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE preferences ADD CONSTRAINT preferences_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES users(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE preferences ADD CONSTRAINT preferences_category_id_organization_id_fkey FOREIGN KEY (category_id, organization_id) REFERENCES categories(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE preferences ADD CONSTRAINT preferences_event_id_organization_id_fkey FOREIGN KEY (event_id, organization_id) REFERENCES events(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE suppressions ADD CONSTRAINT suppressions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE soft_failures ADD CONSTRAINT soft_failures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES api_keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE signing_secrets ADD CONSTRAINT signing_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE erasure_keys ADD CONSTRAINT erasure_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE erased_suppressions ADD CONSTRAINT erased_suppressions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE suppressions ADD CONSTRAINT suppressions_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TRIGGER audit_insert AFTER INSERT ON organizations REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('organization');
CREATE TRIGGER audit_update AFTER UPDATE ON organizations REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('organization');
CREATE TRIGGER audit_delete AFTER DELETE ON organizations REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('organization');
CREATE TRIGGER audit_insert AFTER INSERT ON projects REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('project');
CREATE TRIGGER audit_update AFTER UPDATE ON projects REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('project');
CREATE TRIGGER audit_delete AFTER DELETE ON projects REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('project');
CREATE TRIGGER audit_insert AFTER INSERT ON applications REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('application');
CREATE TRIGGER audit_update AFTER UPDATE ON applications REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('application');
CREATE TRIGGER audit_delete AFTER DELETE ON applications REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('application');
CREATE TRIGGER audit_insert AFTER INSERT ON events REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('event');
CREATE TRIGGER audit_update AFTER UPDATE ON events REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('event');
CREATE TRIGGER audit_delete AFTER DELETE ON events REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('event');
CREATE TRIGGER audit_insert AFTER INSERT ON status_webhooks REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('status webhook');
CREATE TRIGGER audit_update AFTER UPDATE ON status_webhooks REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('status webhook');
CREATE TRIGGER audit_delete AFTER DELETE ON status_webhooks REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('status webhook');
CREATE TRIGGER audit_insert AFTER INSERT ON channels REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('channel');
CREATE TRIGGER audit_update AFTER UPDATE ON channels REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('channel');
CREATE TRIGGER audit_delete AFTER DELETE ON channels REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('channel');
CREATE TRIGGER audit_insert AFTER INSERT ON users REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('user');
CREATE TRIGGER audit_update AFTER UPDATE ON users REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('user');
CREATE TRIGGER audit_delete AFTER DELETE ON users REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('user');
CREATE TRIGGER audit_insert AFTER INSERT ON addresses REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('address');
CREATE TRIGGER audit_update AFTER UPDATE ON addresses REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('address');
CREATE TRIGGER audit_delete AFTER DELETE ON addresses REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('address');
CREATE TRIGGER audit_insert AFTER INSERT ON distribution_lists REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('distribution list');
CREATE TRIGGER audit_update AFTER UPDATE ON distribution_lists REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('distribution list');
CREATE TRIGGER audit_delete AFTER DELETE ON distribution_lists REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('distribution list');
CREATE TRIGGER audit_insert AFTER INSERT ON members REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('member');
CREATE TRIGGER audit_update AFTER UPDATE ON members REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('member');
CREATE TRIGGER audit_delete AFTER DELETE ON members REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('member');
CREATE TRIGGER audit_insert AFTER INSERT ON notifications REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('notification');
CREATE TRIGGER audit_update AFTER UPDATE ON notifications REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('notification');
CREATE TRIGGER audit_delete AFTER DELETE ON notifications REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('notification');
CREATE TRIGGER audit_insert AFTER INSERT ON notification_lists REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('notification list');
CREATE TRIGGER audit_update AFTER UPDATE ON notification_lists REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('notification list');
CREATE TRIGGER audit_delete AFTER DELETE ON notification_lists REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('notification list');
CREATE TRIGGER audit_insert AFTER INSERT ON templates REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('template');
CREATE TRIGGER audit_update AFTER UPDATE ON templates REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('template');
CREATE TRIGGER audit_delete AFTER DELETE ON templates REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('template');
CREATE TRIGGER audit_insert AFTER INSERT ON api_keys REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('API key');
CREATE TRIGGER audit_update AFTER UPDATE ON api_keys REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('API key');
CREATE TRIGGER audit_delete AFTER DELETE ON api_keys REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('API key');
CREATE TRIGGER notify_of_jobs AFTER INSERT ON jobs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notify_of_jobs();
CREATE TRIGGER audit_children_first BEFORE DELETE ON applications FOR EACH ROW EXECUTE FUNCTION audit_children_first('events', 'application_id', 'status_webhooks', 'application_id', 'api_keys', 'application_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON notifications FOR EACH ROW EXECUTE FUNCTION audit_children_first('templates', 'notification_id', 'notification_lists', 'notification_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON distribution_lists FOR EACH ROW EXECUTE FUNCTION audit_children_first('notification_lists', 'list_id', 'members', 'list_id');
CREATE TRIGGER audit_redact AFTER DELETE ON users REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit_redact();
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER append_only_update BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_refuse_update();
CREATE TRIGGER audit_insert AFTER INSERT ON categories REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('category');
CREATE TRIGGER audit_update AFTER UPDATE ON categories REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('category');
CREATE TRIGGER audit_delete AFTER DELETE ON categories REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('category');
CREATE TRIGGER audit_insert AFTER INSERT ON preferences REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
CREATE TRIGGER audit_update AFTER UPDATE ON preferences REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
CREATE TRIGGER audit_delete AFTER DELETE ON preferences REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('preference');
CREATE TRIGGER audit_insert AFTER INSERT ON suppressions REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('suppression');
CREATE TRIGGER audit_update AFTER UPDATE ON suppressions REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('suppression');
CREATE TRIGGER audit_delete AFTER DELETE ON suppressions REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('suppression');
CREATE TRIGGER audit_children_first BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION audit_children_first('applications', 'project_id', 'categories', 'project_id', 'distribution_lists', 'project_id', 'channels', 'project_id', 'api_keys', 'project_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION audit_children_first('notifications', 'event_id', 'preferences', 'event_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON categories FOR EACH ROW EXECUTE FUNCTION audit_children_first('preferences', 'category_id');
CREATE TRIGGER audit_insert AFTER INSERT ON signing_secrets REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_update AFTER UPDATE ON signing_secrets REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER audit_delete AFTER DELETE ON signing_secrets REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('signing secret');
CREATE TRIGGER restore_suppressions_insert AFTER INSERT ON addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();
CREATE TRIGGER restore_suppressions_update AFTER UPDATE ON addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION restore_suppressions();

COMMENT ON CONSTRAINT api_keys_parents_check ON api_keys IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT api_keys_session_check ON api_keys IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT cells_number_check ON cells IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT moves_phase_check ON moves IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT own_cell_one_row ON own_cell IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT places_state_check ON places IS 'not in schema.prisma: check';
COMMENT ON CONSTRAINT preferences_about_check ON preferences IS 'not in schema.prisma: check';
COMMENT ON INDEX addresses_value_prefix_idx IS 'not in schema.prisma: expression';
COMMENT ON INDEX api_keys_sessions IS 'not in schema.prisma: partial';
COMMENT ON INDEX audit_entries_name_prefix_idx IS 'not in schema.prisma: operator class';
COMMENT ON INDEX audit_entries_unsealed_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX audit_entries_user_id_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX channels_organization_id_slug_key IS 'not in schema.prisma: partial';
COMMENT ON INDEX deliveries_carried_by_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX deliveries_dead_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX deliveries_digest_id_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX deliveries_fallback_of_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX deliveries_of_user_idx IS 'not in schema.prisma: BRIN';
COMMENT ON INDEX deliveries_waiting_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX inbox_messages_archived IS 'not in schema.prisma: lists archived messages';
COMMENT ON INDEX inbox_messages_of_user IS 'not in schema.prisma: an expression; a user''s messages, those in the inbox apart from archived ones';
COMMENT ON INDEX inbox_messages_unread IS 'not in schema.prisma: counts and lists unread messages';
COMMENT ON INDEX inbox_messages_unseen IS 'not in schema.prisma: counts and lists messages that nobody has seen';
COMMENT ON INDEX jobs_paused IS 'not in schema.prisma: partial';
COMMENT ON INDEX jobs_ready IS 'not in schema.prisma: partial';
COMMENT ON INDEX jobs_ready_to_expand IS 'not in schema.prisma: partial';
COMMENT ON INDEX jobs_running IS 'not in schema.prisma: partial';
COMMENT ON INDEX jobs_scheduled IS 'not in schema.prisma: partial';
COMMENT ON INDEX jobs_waiting_of_organization IS 'not in schema.prisma: partial';
COMMENT ON INDEX occurrences_held_idx IS 'not in schema.prisma: partial';
COMMENT ON INDEX organization_usage_near_quota IS 'not in schema.prisma: partial';
COMMENT ON INDEX preferences_choice_key IS 'not in schema.prisma: expressions';
COMMENT ON INDEX rulesets_superseded IS 'not in schema.prisma: partial';
COMMENT ON INDEX signing_secrets_one_held IS 'not in schema.prisma: two requests that create the secret of the service at once create one';
COMMENT ON INDEX users_email_prefix_idx IS 'not in schema.prisma: operator class';
COMMENT ON INDEX users_first_name_prefix_idx IS 'not in schema.prisma: expression';
COMMENT ON INDEX users_last_name_prefix_idx IS 'not in schema.prisma: expression';
COMMENT ON INDEX users_quiet_hours_idx IS 'not in schema.prisma: partial';
