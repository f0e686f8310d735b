-- The index before has deleted rules too. Alone in its migration, because only a single statement may run beside writes.
DROP INDEX CONCURRENTLY "AlertRule_sceneId_idx";
