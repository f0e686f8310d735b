-- A usage event is charged or returned once to each scope. Its name is unique in UsageEvent already; here its id is enough, which is
-- shorter and comes in order. The only statement of its migration, as before.
CREATE UNIQUE INDEX CONCURRENTLY "QuotaTransaction_event_key" ON "QuotaTransaction"("referenceId", "scope")
  WHERE source IN ('consumption', 'usage_rollback');
