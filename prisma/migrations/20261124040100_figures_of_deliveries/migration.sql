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
    "seconds" INTEGER,
    "domain" TEXT,
    "count" INTEGER NOT NULL,

    CONSTRAINT "figure_changes_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "figures" ADD CONSTRAINT "figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_figures" ADD CONSTRAINT "domain_figures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Triggers note each change of an outcome, because many statements end deliveries, those of the previous release too. A row for each group, which
-- `CountFigures` adds to the figures: to add it here, writers would wait for each other. Of 50 deliveries that are sent together, a delivery costs
-- 2.5 us when it is made and 6.5 us when it is sent.

-- Ids of occurrences begin with their time. Byte by byte, because a text costs more.
CREATE FUNCTION figure_time(occurrence uuid) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT (get_byte(uuid_send(occurrence), 0) * 16777216.0::float8 + get_byte(uuid_send(occurrence), 1) * 65536 + get_byte(uuid_send(occurrence), 2) * 256
          + get_byte(uuid_send(occurrence), 3)) * 65.536::float8 + (get_byte(uuid_send(occurrence), 4) * 256 + get_byte(uuid_send(occurrence), 5)) / 1000.0::float8
$$;

CREATE FUNCTION figure_outcome(status delivery_status, gate gate, reason text, report report_state) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE status
    WHEN 'pending' THEN 'waiting/'
    WHEN 'sent' THEN 'sent/' || CASE WHEN report <> 'delayed' THEN report::text ELSE '' END
    WHEN 'skipped' THEN 'skipped/' || coalesce(gate::text, '')
    ELSE 'failed/' || CASE WHEN reason LIKE 'rejected%' THEN 'rejected' WHEN reason LIKE 'given up%' THEN 'given_up' ELSE 'other' END
  END
$$;

-- `OFFSET 0` keeps PostgreSQL from computing the time twice. The argument is the time of the first occurrence that counts.
CREATE FUNCTION note_new_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (organization_id, quarter, notification_id, channel_id, outcome, count)
  SELECT organization_id, floor(at / 900)::int, notification_id, channel_id, figure_outcome(status, gate, reason, report), count(*)
  FROM (SELECT organization_id, notification_id, channel_id, status, gate, reason, report, figure_time(occurrence_id) at FROM added OFFSET 0) d
  WHERE at >= TG_ARGV[0]::float8
  GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

-- Counts what is there now and takes away what was there before: what has not changed is zero. A join of the two could compare each row with each.
-- `date_part`, because `extract` computes with decimals and takes ten times as long.
CREATE FUNCTION note_changed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (organization_id, quarter, notification_id, channel_id, outcome, seconds, domain, count)
  SELECT organization_id, floor(at / 900)::int, notification_id, channel_id, figure_outcome(status, gate, reason, report),
         -- From the trigger; what was made or retried later counts from then; what has to wait, from the end of that.
         CASE status WHEN 'sent' THEN ('{1,2,5,10,30,60,300,900,3600,21600,86400,604800}'::int[])[1 + width_bucket(date_part('epoch', now()) - CASE
           WHEN lot IS NOT NULL THEN since
           WHEN since <= at + 60 THEN at
           ELSE (SELECT CASE WHEN o.options ? 'send_at' OR o.approved_at IS NOT NULL OR since > date_part('epoch', o.expanded_at) + 60 THEN since ELSE at END
                 FROM occurrences o WHERE o.id = d.occurrence_id)
         END, '{1,2,5,10,30,60,300,900,3600,21600,86400}'::float8[])] END,
         CASE WHEN address_id IS NOT NULL AND status IN ('sent', 'dead') THEN
           (SELECT lower(substring(recipient FROM '@([^@>[:space:]]{1,253})>?$')) FROM messages m WHERE m.delivery_id = d.id) END,
         sum(count)
  FROM (
    SELECT id, organization_id, occurrence_id, notification_id, channel_id, address_id, status, gate, reason, report, lot,
           figure_time(occurrence_id) at, date_part('epoch', pending_since) since, 1 count FROM after
    UNION ALL
    SELECT id, organization_id, occurrence_id, notification_id, channel_id, address_id, status, gate, reason, report, lot,
           figure_time(occurrence_id), date_part('epoch', pending_since), -1 FROM before
    OFFSET 0
  ) d
  WHERE at >= TG_ARGV[0]::float8
  GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(count) <> 0;
  RETURN NULL;
END
$$;

-- Occurrences from before the figures are left out: they would be counted in part.
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
