-- The two indexes before this one serve their queries.
DROP INDEX "Visit_sceneId_outcomeDecidedAt_idx";
DROP INDEX "Visit_sceneId_arrivalDecidedAt_idx";
