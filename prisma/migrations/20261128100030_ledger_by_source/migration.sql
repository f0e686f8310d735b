-- Top-ups, limits and payments are made once for each name. The only statement of its migration, as before.
CREATE UNIQUE INDEX CONCURRENTLY "QuotaTransaction_source_key" ON "QuotaTransaction"("scope", "scopeId", "source", "sourceId", "feature")
  WHERE source NOT IN ('consumption', 'usage_rollback');
