-- AlterTable
ALTER TABLE "layouts" ADD COLUMN     "mjml" TEXT;

-- AlterTable
ALTER TABLE "partials" ADD COLUMN     "mjml" TEXT;

-- AlterTable
ALTER TABLE "templates" ADD COLUMN     "mjml" JSONB;
