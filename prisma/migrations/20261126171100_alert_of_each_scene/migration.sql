-- A rule of a site may fire at two of its scenes at the same time. Alone in its file, because it runs in no transaction.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "AlertEvent_ruleId_triggeredAt_sceneId_key" ON "AlertEvent"("ruleId", "triggeredAt", "sceneId");
