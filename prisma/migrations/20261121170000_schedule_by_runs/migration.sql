-- What was started or stopped by hand is read from the runs themselves: a device needs no mark of its own.
ALTER TABLE "Device" DROP COLUMN "scheduleHeldUntil";

-- Devices that had a schedule before anything looked at it.
UPDATE "Device" SET "nextScheduleAt" = now() WHERE "schedule" IS NOT NULL AND "nextScheduleAt" IS NULL;
