-- Inboxes and the audit log are read in the order of ids. An organization that has moved to a cell with lower ids gets a row here: which ids
-- came first. No foreign key: it would lock organizations, and the audit log of a deleted organization stays.

-- CreateTable
CREATE TABLE "id_orders" (
    "organization_id" INTEGER NOT NULL,
    "spans" JSONB NOT NULL,

    CONSTRAINT "id_orders_pkey" PRIMARY KEY ("organization_id")
);
