-- AlertEvent_ruleId_triggeredAt_sceneId_key has its columns. A statement of its own.
DROP INDEX CONCURRENTLY IF EXISTS "AlertEvent_ruleId_triggeredAt_key";
