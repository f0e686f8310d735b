-- For erasing a scene, and for its alert events by their rules, also deleted ones. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AlertRule_scene_idx" ON "AlertRule"("sceneId");
