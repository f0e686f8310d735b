-- "QuotaTransaction_quotaId_createdAt_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "QuotaTransaction_scope_scopeId_userId_period_createdAt_id_idx";
