-- What erased users have left goes; then the keys of the migration before hold for every row. Neither stops a reader or writer.
DELETE FROM "AttributeTrack" t WHERE NOT EXISTS (SELECT 1 FROM "AnalysisTask" r WHERE r.id = t."taskId");
DELETE FROM "AttributeHour" h
  WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE u.id = h."userId")
     OR NOT EXISTS (SELECT 1 FROM "Device" d WHERE d.id = h."deviceId")
     OR NOT EXISTS (SELECT 1 FROM "Scene" s WHERE s.id = h."sceneId");
ALTER TABLE "AttributeTrack" VALIDATE CONSTRAINT "AttributeTrack_taskId_fkey";
ALTER TABLE "AttributeHour" VALIDATE CONSTRAINT "AttributeHour_userId_fkey";
ALTER TABLE "AttributeHour" VALIDATE CONSTRAINT "AttributeHour_deviceId_fkey";
ALTER TABLE "AttributeHour" VALIDATE CONSTRAINT "AttributeHour_sceneId_fkey";
