-- An insight waits for its next try, or is being described by a worker until its claim lapses.
ALTER TABLE "Insight" ADD COLUMN "vlmDueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
                      ADD COLUMN "vlmClaimedUntil" TIMESTAMPTZ(3);
CREATE INDEX "Insight_vlmDueAt_idx" ON "Insight"("vlmDueAt", "id") WHERE "vlmStatus" = 'pending';

-- Whoever ends a run (its node, the API, another node): no rule of its scene is firing any more. The cooldown goes on.
CREATE FUNCTION end_firing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "AlertRule" SET "isFiring" = false, "holdingSince" = NULL
  WHERE "sceneId" = NEW."sceneId" AND "deletedAt" IS NULL AND ("isFiring" OR "holdingSince" IS NOT NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "AnalysisTask_end_firing" AFTER UPDATE OF status ON "AnalysisTask"
  FOR EACH ROW WHEN (NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED') AND OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION end_firing();
