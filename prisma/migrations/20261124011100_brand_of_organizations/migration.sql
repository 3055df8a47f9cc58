-- For layouts, beside the color: a line at the end of mails, and [{"label", "url"}]. Null: none.
ALTER TABLE "organizations" ADD COLUMN "address" TEXT, ADD COLUMN "links" JSONB;
