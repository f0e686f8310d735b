-- "QuotaTransaction_quotaId_createdAt_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "QuotaTransaction_scope_scopeId_createdAt_idx";
