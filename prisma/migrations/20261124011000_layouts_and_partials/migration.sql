-- CreateTable
CREATE TABLE "layouts" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "slug" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "partials" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "layouts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "layouts_organization_id_idx" ON "layouts"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "layouts_project_id_slug_key" ON "layouts"("project_id", "slug");

-- The slugs of an organization's own ones: NULL project ids are distinct to the unique index above.
CREATE UNIQUE INDEX "layouts_organization_id_slug_key" ON "layouts"("organization_id", "slug") WHERE "project_id" IS NULL;
COMMENT ON INDEX "layouts_organization_id_slug_key" IS 'not in schema.prisma: partial';

-- AddForeignKey
ALTER TABLE "layouts" ADD CONSTRAINT "layouts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "layouts" ADD CONSTRAINT "layouts_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "partials" (
    "id" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "slug" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "partials" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "partials_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "partials_organization_id_idx" ON "partials"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "partials_project_id_slug_key" ON "partials"("project_id", "slug");

-- The slugs of an organization's own ones: NULL project ids are distinct to the unique index above.
CREATE UNIQUE INDEX "partials_organization_id_slug_key" ON "partials"("organization_id", "slug") WHERE "project_id" IS NULL;
COMMENT ON INDEX "partials_organization_id_slug_key" IS 'not in schema.prisma: partial';

-- AddForeignKey
ALTER TABLE "partials" ADD CONSTRAINT "partials_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "partials" ADD CONSTRAINT "partials_project_id_organization_id_fkey" FOREIGN KEY ("project_id", "organization_id") REFERENCES "projects"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER audit_insert AFTER INSERT ON layouts REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('layout');
CREATE TRIGGER audit_update AFTER UPDATE ON layouts REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('layout');
CREATE TRIGGER audit_delete AFTER DELETE ON layouts REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('layout');

CREATE TRIGGER audit_insert AFTER INSERT ON partials REFERENCING NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('partial');
CREATE TRIGGER audit_update AFTER UPDATE ON partials REFERENCING OLD TABLE AS changed_before NEW TABLE AS changed_after FOR EACH STATEMENT EXECUTE FUNCTION audit('partial');
CREATE TRIGGER audit_delete AFTER DELETE ON partials REFERENCING OLD TABLE AS changed_before FOR EACH STATEMENT EXECUTE FUNCTION audit('partial');

-- Before their project, while the path above them is still there.
CREATE OR REPLACE TRIGGER audit_children_first BEFORE DELETE ON projects FOR EACH ROW
  EXECUTE FUNCTION audit_children_first('applications', 'project_id', 'categories', 'project_id', 'distribution_lists', 'project_id',
    'channels', 'project_id', 'layouts', 'project_id', 'partials', 'project_id', 'api_keys', 'project_id');

-- The slugs of a layout and of partials. Null and none: the template stands alone.
ALTER TABLE "templates" ADD COLUMN "layout" TEXT, ADD COLUMN "partials" TEXT[] DEFAULT ARRAY[]::TEXT[];
