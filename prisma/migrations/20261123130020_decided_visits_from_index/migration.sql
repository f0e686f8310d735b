-- Counts and durations of decided visits are read from the index alone. The only statement of its migration: PostgreSQL makes
-- an index without a long lock only outside a transaction.
CREATE INDEX CONCURRENTLY "Visit_decided_idx" ON "Visit"("sceneId", "outcomeDecidedAt", "outcome", "queueEnteredAt", "queueLeftAt", "serviceStartedAt", "serviceEndedAt");
