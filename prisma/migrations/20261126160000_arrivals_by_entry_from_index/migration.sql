-- Arrivals of a scene with a queue zone are visits that entered the queue; they are counted from the index alone. The only
-- statement of its migration, as before.
CREATE INDEX CONCURRENTLY "Visit_entries_idx" ON "Visit"("sceneId", "arrivalDecidedAt", "outcomeDecidedAt", "outcome", "queueEnteredAt");
