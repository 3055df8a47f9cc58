-- The logo: {"sha256", "content_type", "width", "height"}. Null: none.
ALTER TABLE "organizations" ADD COLUMN "logo" JSONB;

-- Since when a file is the logo. It is kept and served, also after a newer logo. Null: it is none.
ALTER TABLE "files" ADD COLUMN "logo_since" TIMESTAMPTZ(3);
