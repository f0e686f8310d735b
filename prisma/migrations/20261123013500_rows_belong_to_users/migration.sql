-- Rows that outlived their user: from now on they go with it. The tables are large, so that what is there already is
-- checked by the next migration, which does not hold these locks.
ALTER TABLE "AttributeTrack" ADD CONSTRAINT "AttributeTrack_taskId_fkey"
  FOREIGN KEY ("taskId") REFERENCES "AnalysisTask"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_deviceId_fkey"
  FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_sceneId_fkey"
  FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- A reservation lasts two minutes: the table is small.
ALTER TABLE "SearchReservation" ADD COLUMN "userId" UUID;
UPDATE "SearchReservation" r SET "userId" = e."userId"
  FROM "UsageEvent" e WHERE e.feature = 'vlm' AND e."sourceId" = r."sourceId";
DELETE FROM "SearchReservation" WHERE "userId" IS NULL;
ALTER TABLE "SearchReservation" ALTER COLUMN "userId" SET NOT NULL;
CREATE INDEX "SearchReservation_userId_idx" ON "SearchReservation"("userId");
ALTER TABLE "SearchReservation" ADD CONSTRAINT "SearchReservation_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
