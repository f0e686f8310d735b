-- Lists of the ledger are merged from its counters: a counter is a user or device, a month and a feature. Alone in its migration, because only a single
-- statement may run beside writes.
CREATE INDEX CONCURRENTLY "QuotaTransaction_quotaId_createdAt_idx" ON "QuotaTransaction"("quotaId", "createdAt");
