-- For erasing a device. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AnalysisTask_deviceId_idx" ON "AnalysisTask"("deviceId");
