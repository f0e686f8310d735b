-- For the lists of acknowledged alert events. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AlertEvent_acknowledged_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath")
  WHERE "deletedAt" IS NULL AND "acknowledgedAt" IS NOT NULL;
