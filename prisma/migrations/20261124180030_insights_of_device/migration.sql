-- For erasing a device. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "Insight_deviceId_idx" ON "Insight"("deviceId");
