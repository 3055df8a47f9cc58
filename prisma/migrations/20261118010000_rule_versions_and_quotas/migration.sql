-- Each version of a notification is stored once, and a ruleset refers to the versions it consists of. Before, each change of one
-- notification stored all notifications of its event again: 25 of them, with 0.9 MB each, took 286 MB.

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "rulesets" ADD COLUMN     "superseded_at" TIMESTAMPTZ(3),
ADD COLUMN     "versions" INTEGER[];

-- CreateTable
CREATE TABLE "rule_versions" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "rule" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "rule_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_usage" (
    "organization_id" INTEGER NOT NULL,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "measured_at" TIMESTAMPTZ(3),
    "is_near_quota" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "organization_usage_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "rule_versions_event_id_hash_key" ON "rule_versions"("event_id", "hash");

INSERT INTO "rule_versions" ("organization_id", "event_id", "hash", "rule", "bytes")
SELECT DISTINCT ON (s."event_id", h."hash") s."organization_id", s."event_id", h."hash", r."rule", octet_length(r."rule"::text)
FROM "rulesets" s, jsonb_array_elements(s."rules") r("rule"), LATERAL (SELECT sha256(convert_to(r."rule"::text, 'UTF8')) "hash") h;

-- With null in the old column, VACUUM frees the space of the old rules; a dropped column would keep it.
ALTER TABLE "rulesets" ALTER COLUMN "rules" DROP NOT NULL;
UPDATE "rulesets" s SET
  "versions" = ARRAY(
    SELECT v."id" FROM jsonb_array_elements(s."rules") WITH ORDINALITY r("rule", "place")
    JOIN "rule_versions" v ON v."event_id" = s."event_id" AND v."hash" = sha256(convert_to(r."rule"::text, 'UTF8'))
    ORDER BY r."place"),
  "rules" = NULL,
  "superseded_at" = CASE WHEN NOT EXISTS (SELECT FROM "events" e WHERE e."ruleset_id" = s."id") THEN now() END;

-- AlterTable
ALTER TABLE "rulesets" DROP COLUMN "rules";

-- CreateIndex
CREATE INDEX "events_ruleset_id_idx" ON "events"("ruleset_id");

-- CreateIndex
CREATE INDEX "occurrences_ruleset_id_idx" ON "occurrences"("ruleset_id");

-- The purge finds rulesets that may be unused. Most are in force, so they are not in the index.
CREATE INDEX "rulesets_superseded" ON "rulesets"("event_id", "superseded_at") WHERE "superseded_at" IS NOT NULL;
COMMENT ON INDEX "rulesets_superseded" IS 'not in schema.prisma: partial';

-- For the metric that counts them.
CREATE INDEX "organization_usage_near_quota" ON "organization_usage"("organization_id") WHERE "is_near_quota";
COMMENT ON INDEX "organization_usage_near_quota" IS 'not in schema.prisma: partial';

-- AddForeignKey
ALTER TABLE "rule_versions" ADD CONSTRAINT "rule_versions_event_id_organization_id_fkey" FOREIGN KEY ("event_id", "organization_id") REFERENCES "events"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_usage" ADD CONSTRAINT "organization_usage_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
