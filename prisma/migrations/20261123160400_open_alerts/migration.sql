-- For the lists of alert events that nobody has acknowledged. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "AlertEvent_open_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath")
  WHERE "deletedAt" IS NULL AND "acknowledgedAt" IS NULL;
