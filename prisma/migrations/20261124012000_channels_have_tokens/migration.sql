-- CreateTable
CREATE TABLE "channel_tokens" (
    "channel_id" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "sealed" TEXT,
    "made_at" TIMESTAMPTZ(3),
    "renew_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "channel_tokens_pkey" PRIMARY KEY ("channel_id","purpose")
);

-- AddForeignKey
ALTER TABLE "channel_tokens" ADD CONSTRAINT "channel_tokens_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
