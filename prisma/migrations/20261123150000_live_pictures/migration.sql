-- Live pictures: which API process wants those of a device until when, and the newest picture of each watched device.
-- Both tables are unlogged: after a crash of the database they are empty, and the next seconds fill them again.
CREATE UNLOGGED TABLE "LiveWish" (
  "deviceId" UUID NOT NULL,
  "processId" UUID NOT NULL,
  "width" INTEGER NOT NULL,
  "fps" INTEGER NOT NULL,
  "wantedUntil" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "LiveWish_pkey" PRIMARY KEY ("deviceId", "processId")
) WITH (fillfactor = 50);
ALTER TABLE "LiveWish" ADD CONSTRAINT "LiveWish_deviceId_fkey"
  FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A picture is cut into parts of 1,900 bytes, one row each. Four versions of a row fit into its page, so every update stays
-- in the page and removes older versions there. A single row with the whole JPEG grows by 110 kB a second until the next
-- autovacuum, because its bytes are stored in a TOAST table.
CREATE UNLOGGED TABLE "LivePicture" (
  "deviceId" UUID NOT NULL,
  "part" INTEGER NOT NULL,
  "capturedAt" TIMESTAMPTZ(3) NOT NULL,
  "isStill" BOOLEAN NOT NULL,
  "tracks" TEXT,
  "bytes" BYTEA NOT NULL,
  CONSTRAINT "LivePicture_pkey" PRIMARY KEY ("deviceId", "part")
) WITH (fillfactor = 25);
ALTER TABLE "LivePicture" ALTER COLUMN "bytes" SET STORAGE PLAIN;
ALTER TABLE "LivePicture" ADD CONSTRAINT "LivePicture_deviceId_fkey"
  FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
