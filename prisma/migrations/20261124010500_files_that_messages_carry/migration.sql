-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "sha256" BYTEA,
    "size" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_chunks" (
    "organization_id" INTEGER NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "file_chunks_pkey" PRIMARY KEY ("organization_id","file_id","position")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "file_id" UUID NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attachments" (
    "occurrence_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "file_id" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("occurrence_id","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "files_id_organization_id_key" ON "files"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "files_organization_id_sha256_key" ON "files"("organization_id", "sha256");

-- CreateIndex
CREATE INDEX "uploads_organization_id_id_idx" ON "uploads"("organization_id", "id");

-- CreateIndex
CREATE INDEX "uploads_file_id_idx" ON "uploads"("file_id");

-- CreateIndex
CREATE INDEX "uploads_expires_at_idx" ON "uploads"("expires_at");

-- CreateIndex
CREATE INDEX "attachments_organization_id_idx" ON "attachments"("organization_id");

-- CreateIndex
CREATE INDEX "attachments_file_id_idx" ON "attachments"("file_id");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_organization_id_fkey" FOREIGN KEY ("file_id", "organization_id") REFERENCES "files"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_file_id_organization_id_fkey" FOREIGN KEY ("file_id", "organization_id") REFERENCES "files"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_occurrence_id_fkey" FOREIGN KEY ("occurrence_id") REFERENCES "occurrences"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_file_id_organization_id_fkey" FOREIGN KEY ("file_id", "organization_id") REFERENCES "files"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Files are mostly compressed already, and are read whole.
ALTER TABLE "file_chunks" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
