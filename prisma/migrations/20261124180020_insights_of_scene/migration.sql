-- For erasing a scene. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "Insight_sceneId_idx" ON "Insight"("sceneId");
