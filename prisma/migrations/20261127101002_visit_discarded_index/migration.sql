-- The visits that are no arrivals although Visit_arrivals_idx has them: few, those of staff. A statement of its own.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Visit_discarded_idx" ON "Visit"("sceneId", "arrivalDecidedAt", "queueEnteredAt") WHERE "outcomeDecidedAt" IS NOT NULL AND outcome IS NULL;
