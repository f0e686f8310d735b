-- For the audit and the erasure of a user. The only statement of its migration, as before.
CREATE INDEX CONCURRENTLY "QuotaTransaction_userId_idx" ON "QuotaTransaction"("userId");
