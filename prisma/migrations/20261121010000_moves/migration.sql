-- `carillon move`: an organization goes from one cell to another. The source has the row of the move, and the target a copy of it, whose
-- phase is `incoming`: it says that the rows of the organization there belong to a move that has not ended.

-- CreateTable
CREATE TABLE "moves" (
    "id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "source" INTEGER NOT NULL,
    "target" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "progress" JSONB NOT NULL DEFAULT '{}',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "frozen_at" TIMESTAMPTZ(3),
    "switched_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "moves_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "move_changes" (
    "id" BIGSERIAL NOT NULL,
    "table_name" TEXT NOT NULL,
    "key" TEXT[],

    CONSTRAINT "move_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "moves_organization_id_idx" ON "moves"("organization_id");

ALTER TABLE "moves" ADD CONSTRAINT "moves_phase_check" CHECK ("phase" IN (
  'copying', 'holding', 'copying the rest', 'comparing', 'switching', 'done', 'deleting', 'finished', 'undoing', 'undone', 'incoming'));
COMMENT ON CONSTRAINT "moves_phase_check" ON "moves" IS 'not in schema.prisma: check';

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
