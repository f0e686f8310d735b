-- Visit_counted_idx without open visits, and with the narrow columns last: nine tenths of its room, and a visit has an entry from its decision
-- and not from each of its writes. Made beside the writes; a statement of its own.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Visit_counted_next" ON "Visit"("sceneId", "outcomeDecidedAt", "queueEnteredAt", "queueLeftAt", "serviceStartedAt", "serviceEndedAt", "outcome", "isInTime") WHERE "outcomeDecidedAt" IS NOT NULL;
