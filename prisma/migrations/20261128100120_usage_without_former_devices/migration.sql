-- "UsageEvent_device_list_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "UsageEvent_userId_deviceId_occurredAt_idx";
