-- In the order of time, as before. The only statement of its migration.
CREATE INDEX CONCURRENTLY "UsageEvent_device_list_idx" ON "UsageEvent"("userId", "deviceId", "occurredAt");
