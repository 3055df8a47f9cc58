-- Cells: several databases with the same schema, and a directory that says which of them an organization lives in. Every database has these
-- tables. Those in the directory's database are the truth, those in the other cells are copies for the time when the directory does not answer.

-- CreateTable
CREATE TABLE "cells" (
    "number" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cells_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "places" (
    "slug" TEXT NOT NULL,
    "organization_id" INTEGER,
    "cell" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "target" INTEGER,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "places_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "organization_freezes" (
    "organization_id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_freezes_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "own_cell" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "number" INTEGER NOT NULL,

    CONSTRAINT "own_cell_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "places_changed_at_idx" ON "places"("changed_at");

ALTER TABLE "cells" ADD CONSTRAINT "cells_number_check" CHECK ("number" BETWEEN 0 AND 15);
COMMENT ON CONSTRAINT "cells_number_check" ON "cells" IS 'not in schema.prisma: check';
ALTER TABLE "places" ADD CONSTRAINT "places_state_check" CHECK (
  "state" IN ('claimed', 'here', 'moving', 'gone') AND ("state" = 'moving') = ("target" IS NOT NULL)
  AND ("state" NOT IN ('here', 'moving') OR "organization_id" IS NOT NULL));
COMMENT ON CONSTRAINT "places_state_check" ON "places" IS 'not in schema.prisma: check';
ALTER TABLE "own_cell" ADD CONSTRAINT "own_cell_one_row" CHECK ("id" = 1 AND "number" BETWEEN 0 AND 15);
COMMENT ON CONSTRAINT "own_cell_one_row" ON "own_cell" IS 'not in schema.prisma: check';
