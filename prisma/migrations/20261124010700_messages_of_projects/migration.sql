-- {"de": {"order.paid": "Bezahlt"}}: texts that the templates of a project share, by language and key.
ALTER TABLE "projects" ADD COLUMN "messages" JSONB;

-- The keys of the messages that a template uses.
ALTER TABLE "templates" ADD COLUMN "message_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];
