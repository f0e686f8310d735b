-- Where the streams of a user may lead; empty: where STREAM_NETWORKS says.
ALTER TABLE "User" ADD COLUMN "streamNetworks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
