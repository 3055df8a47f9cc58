-- Why a delivery waits: the trigger names a time on the clock of each user.
ALTER TYPE "waits_for" ADD VALUE 'send_at';

-- The first instant at which the clock of a zone shows a time. A time that happens twice, because clocks are set back, means the first. A time that
-- never happens, because clocks are set forward, means the first instant after the gap: clocks change at full minutes.
CREATE FUNCTION local_instant(local timestamp, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
  found timestamptz;
  first timestamptz;
  last timestamptz;
BEGIN
  zone := known_zone(zone);
  SELECT min(instant) FILTER (WHERE instant AT TIME ZONE zone = local), min(instant), max(instant) INTO found, first, last
  FROM unnest(ARRAY[-1, 1]) day,
       LATERAL (SELECT (local - offset_of((local + day * interval '1 day') AT TIME ZONE 'UTC', zone)) AT TIME ZONE 'UTC' instant) i;
  IF found IS NULL THEN
    SELECT min(instant) INTO found
    FROM generate_series(date_trunc('minute', first), last, interval '1 minute') instant WHERE instant AT TIME ZONE zone > local;
  END IF;
  RETURN coalesce(found, last);
END
$$;
