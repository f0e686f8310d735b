-- Visit_counted_idx has its columns. A statement of its own.
DROP INDEX CONCURRENTLY IF EXISTS "Visit_decided_idx";
