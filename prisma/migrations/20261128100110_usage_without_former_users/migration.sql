-- "UsageEvent_user_list_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "UsageEvent_userId_occurredAt_id_idx";
