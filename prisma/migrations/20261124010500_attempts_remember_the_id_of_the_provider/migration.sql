-- The id by which the reports of a provider name the message, and the channel of the delivery. Both are null if the dispatcher returns no id.
ALTER TABLE "attempts" ADD COLUMN "channel_id" INTEGER, ADD COLUMN "provider_id" TEXT;
