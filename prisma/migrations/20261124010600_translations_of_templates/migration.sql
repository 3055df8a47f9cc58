-- The texts of a template in other languages, and for each of them a digest of the text that it translates.
ALTER TABLE "templates" ADD COLUMN "translations" JSONB, ADD COLUMN "translated_from" JSONB;

-- {"language", "locale", "by"}: the translation that was used, and whose locale asked for it. Null: the template has no translations.
ALTER TABLE "messages" ADD COLUMN "language" JSONB;
