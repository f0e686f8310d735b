-- For erasing a scene, which would read the alert events of all users. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AlertEvent_sceneId_idx" ON "AlertEvent"("sceneId");
