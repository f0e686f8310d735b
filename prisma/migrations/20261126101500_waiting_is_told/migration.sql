-- A run that waits for capacity says so.
ALTER TYPE "EventType" ADD VALUE 'analysis_waiting' BEFORE 'alert_triggered';

ALTER TABLE "AnalysisTask" ADD COLUMN "waitsSince" TIMESTAMPTZ(3);
CREATE INDEX "AnalysisTask_waitsSince_idx" ON "AnalysisTask" ("waitsSince") WHERE "waitsSince" IS NOT NULL;
