-- "Visit_entries_idx" replaces it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "Visit_arrivals_idx";
