-- Liquid texts: the mailboxes that send a mail and get its answers, and more headers by name. Null: as the channel says.
ALTER TABLE "templates" ADD COLUMN "send_from" TEXT, ADD COLUMN "reply_to" TEXT, ADD COLUMN "headers" JSONB;

-- {"from", "reply_to", "headers"}: those that the template of the message has set.
ALTER TABLE "messages" ADD COLUMN "sender" JSONB;
