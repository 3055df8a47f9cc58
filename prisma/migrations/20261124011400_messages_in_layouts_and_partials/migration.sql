-- The keys of the project's messages that a layout or partial uses itself.
ALTER TABLE "layouts" ADD COLUMN     "message_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "partials" ADD COLUMN     "message_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];
