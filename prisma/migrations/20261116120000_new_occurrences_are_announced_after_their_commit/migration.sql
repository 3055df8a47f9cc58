-- NOTIFY takes a lock of the whole server until its transaction is committed and on disk, so triggers waited for each other. The process
-- that stores occurrences now announces them after their commit, in a transaction of its own that waits for no disk.
CREATE OR REPLACE FUNCTION "notify_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE state = 'ready' AND task <> 'expand') THEN
    PERFORM pg_notify('carillon_jobs', 'others');
  END IF;
  RETURN NULL;
END $$;
