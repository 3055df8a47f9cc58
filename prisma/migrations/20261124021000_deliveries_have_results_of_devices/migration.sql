-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "devices" JSONB;

-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "problem" TEXT;

-- A message that one device of its user took is sent, whatever ends the attempts for the others: an expiry, a cancel, a choice of the user, a channel that
-- is deleted. So it has no fallback, and nobody retries it. Here, because many statements end deliveries, those of the previous release too.
CREATE FUNCTION sent_to_a_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status := 'sent';
  NEW.gate := NULL;
  NEW.reason := NULL;
  NEW.evidence := NULL;
  NEW.next_attempt_at := NULL;
  RETURN NEW;
END
$$;

CREATE TRIGGER sent_to_a_device BEFORE UPDATE ON deliveries FOR EACH ROW
  WHEN (NEW.devices IS NOT NULL AND NEW.status IN ('dead', 'skipped') AND NEW.devices @> '[{"outcome": "sent"}]')
  EXECUTE FUNCTION sent_to_a_device();
