-- What decodes the video of a node's cameras, and why it is not the hardware that was wanted.
ALTER TABLE "ComputeNode" ADD COLUMN "videoDecoder" VARCHAR(20), ADD COLUMN "videoDecoderReason" TEXT;
