-- The address of a camera's second stream, which is analysed in place of the first one; encrypted like it.
ALTER TABLE "Device" ADD COLUMN "analysisStreamUrlEncrypted" TEXT;
