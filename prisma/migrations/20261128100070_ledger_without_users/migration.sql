-- "QuotaTransaction_userId_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "QuotaTransaction_userId_scope_createdAt_id_idx";
