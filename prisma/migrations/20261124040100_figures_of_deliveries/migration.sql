-- CreateTable
CREATE TABLE "figures" (
    "organization_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "application_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "figures_pkey" PRIMARY KEY ("organization_id","hour","notification_id","channel_id","outcome","reason")
);

-- CreateTable
CREATE TABLE "domain_figures" (
    "organization_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "domain" TEXT NOT NULL,
    "application_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "domain_figures_pkey" PRIMARY KEY ("organization_id","hour","domain","application_id","channel_id","outcome","reason")
);

-- CreateTable
CREATE TABLE "figure_changes" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "quarter" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "domain" TEXT,
    "count" INTEGER NOT NULL,

    CONSTRAINT "figure_changes_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "figures" ADD CONSTRAINT "figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_figures" ADD CONSTRAINT "domain_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Triggers note each change of an outcome, because many statements end deliveries, those of the previous release too. A row for each group, which
-- `CountFigures` adds to the figures: to add it here, writers would wait for each other.

-- Ids of occurrences begin with their time.
CREATE FUNCTION figure_time(occurrence uuid) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || translate(left(occurrence::text, 13), '-', ''))::bit(48)::bigint / 1000.0::double precision
$$;

CREATE FUNCTION figure_outcome(status delivery_status, gate gate, reason text, report report_state) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE status
    WHEN 'pending' THEN 'waiting/'
    WHEN 'sent' THEN 'sent/' || CASE WHEN report <> 'delayed' THEN report::text ELSE '' END
    WHEN 'skipped' THEN 'skipped/' || coalesce(gate::text, '')
    ELSE 'failed/' || CASE WHEN reason LIKE 'rejected%' THEN 'rejected' WHEN reason LIKE 'given up%' THEN 'given_up' ELSE 'other' END
  END
$$;

-- Occurrences from before the figures would be counted in part. The time of the first that counts is an argument of the triggers.
CREATE FUNCTION note_new_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (organization_id, quarter, notification_id, channel_id, outcome, count)
  SELECT organization_id, floor(at / 900)::int, notification_id, channel_id, outcome, count(*)
  FROM (
    SELECT organization_id, notification_id, channel_id, figure_time(occurrence_id) at, figure_outcome(status, gate, reason, report) outcome FROM added
  ) d
  WHERE at >= TG_ARGV[0]::double precision
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

-- The states before and after are paired by grouping: a join of two sets of unknown size could compare each row with each.
CREATE FUNCTION note_changed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (organization_id, quarter, notification_id, channel_id, outcome, domain, count)
  SELECT organization_id, floor(at / 900)::int, notification_id, channel_id, change.outcome,
         CASE WHEN change.outcome >= 'failed' AND change.outcome < 'skipped' THEN domain END, sum(change.count)
  FROM (
    SELECT *,
      CASE WHEN has_address AND (was || ' ' || became) ~ 'sent|failed' THEN
        (SELECT lower(substring(m.recipient FROM '@([^@>[:space:]]{1,253})>?$')) FROM messages m WHERE m.delivery_id = d.id) END domain,
      -- From the trigger; what was made or retried later counts from then; what has to wait, from the end of that.
      CASE WHEN became LIKE 'sent%' AND was NOT LIKE 'sent%' THEN extract(epoch FROM now())::float8 - greatest(waits_until, CASE
        WHEN is_later THEN pending_since
        WHEN pending_since < at + 60 THEN at
        ELSE (SELECT CASE WHEN o.options ? 'send_at' OR o.approved_at IS NOT NULL THEN pending_since ELSE at END FROM occurrences o WHERE o.id = d.occurrence_id)
      END) END took
    FROM (
      SELECT id, organization_id, notification_id, channel_id, occurrence_id, figure_time(occurrence_id) at,
             max(outcome) FILTER (WHERE NOT is_new) was, max(outcome) FILTER (WHERE is_new) became,
             max(waits_until) FILTER (WHERE NOT is_new) waits_until, max(pending_since) pending_since,
             bool_or(lot IS NOT NULL) is_later, bool_or(address_id IS NOT NULL) has_address
      FROM (
        SELECT id, organization_id, notification_id, channel_id, occurrence_id, figure_outcome(status, gate, reason, report) outcome, false is_new,
               extract(epoch FROM waits_until)::float8 waits_until, extract(epoch FROM pending_since)::float8 pending_since, lot, address_id FROM before
        UNION ALL
        SELECT id, organization_id, notification_id, channel_id, occurrence_id, figure_outcome(status, gate, reason, report), true,
               NULL, NULL, lot, address_id FROM after
      ) state
      GROUP BY id, organization_id, notification_id, channel_id, occurrence_id
    ) d
    WHERE was <> became AND at >= TG_ARGV[0]::double precision
  ) d
  CROSS JOIN LATERAL (
    VALUES (was, -1), (became, 1),
           ('within/' || (SELECT min(bound) FROM unnest('{1,2,5,10,30,60,300,900,3600,21600,86400,604800}'::int[]) bound WHERE bound >= least(took, 604800)), 1)
  ) change(outcome, count)
  WHERE change.outcome IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  since double precision := CASE WHEN EXISTS (SELECT FROM occurrences) THEN extract(epoch FROM now() + interval '1 minute') ELSE 0 END;
BEGIN
  EXECUTE format('CREATE TRIGGER note_new_deliveries AFTER INSERT ON deliveries REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION note_new_deliveries(%L)', since);
  EXECUTE format('CREATE TRIGGER note_changed_deliveries AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION note_changed_deliveries(%L)', since);
END
$$;
