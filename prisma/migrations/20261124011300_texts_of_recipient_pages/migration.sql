-- Texts that replace those of the pages for recipients: {"de": {"save": "Sichern"}}. Null: none.
ALTER TABLE "organizations" ADD COLUMN "page_texts" JSONB;
