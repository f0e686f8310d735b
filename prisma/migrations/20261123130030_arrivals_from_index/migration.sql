-- Arrivals are counted from the index alone: a visit without outcome that is decided was discarded. The only statement of its
-- migration, as before.
CREATE INDEX CONCURRENTLY "Visit_arrivals_idx" ON "Visit"("sceneId", "arrivalDecidedAt", "outcomeDecidedAt", "outcome");
