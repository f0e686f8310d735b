-- Without the id, which only orders events of the same millisecond, and in the order of time: newest first, the pages of a list of which
-- each new entry is the first stay half empty. The only statement of its migration, as before.
CREATE INDEX CONCURRENTLY "UsageEvent_user_list_idx" ON "UsageEvent"("userId", "occurredAt");
