-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "rate_limit_of" INTEGER;

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "application_id" INTEGER;

-- Messages whose occurrence was purged stay without an application: only keys of the whole organization see them.
UPDATE "inbox_messages" i SET "application_id" = e."application_id"
FROM "deliveries" d JOIN "occurrences" o ON o."id" = d."occurrence_id" JOIN "events" e ON e."id" = o."event_id"
WHERE d."id" = i."delivery_id";
