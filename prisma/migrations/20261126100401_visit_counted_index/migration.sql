-- As Visit_decided_idx, and with the target: history is read from the index alone. Made beside the writes; a statement of its own.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Visit_counted_idx" ON "Visit"("sceneId", "outcomeDecidedAt", "outcome", "queueEnteredAt", "queueLeftAt", "serviceStartedAt", "serviceEndedAt", "isInTime");
