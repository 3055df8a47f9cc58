-- CreateTable
CREATE TABLE "soft_failures" (
    "organization_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value_key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "soft_failures_pkey" PRIMARY KEY ("organization_id","name","value_key")
);

-- AddForeignKey
ALTER TABLE "soft_failures" ADD CONSTRAINT "soft_failures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
