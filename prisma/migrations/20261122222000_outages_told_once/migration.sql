-- What the owner of a device was told of an outage, and which frames end it.

-- When `lastError` was written: only a frame that is newer clears it.
ALTER TABLE "Device" ADD COLUMN "lastErrorAt" TIMESTAMPTZ(3);
UPDATE "Device" SET "lastErrorAt" = clock_timestamp() WHERE "lastError" IS NOT NULL;

-- `device_offline` was sent and `device_online` not yet: since when the device was gone.
ALTER TABLE "Device" ADD COLUMN "toldOfflineSince" TIMESTAMPTZ(3);
UPDATE "Device" d SET "toldOfflineSince" = d."onlineChangedAt"
WHERE d."onlineStatus" = 'offline' AND EXISTS (
  SELECT 1 FROM "Event" e
  WHERE e."userId" = d."userId" AND e."deviceId" = d.id AND e.type = 'device_offline'
    AND e."occurredAt" = d."onlineChangedAt");
