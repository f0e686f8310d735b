-- For erasing the images of deleted alert events. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AlertEvent_deleted_idx" ON "AlertEvent"("deletedAt") WHERE "deletedAt" IS NOT NULL;
