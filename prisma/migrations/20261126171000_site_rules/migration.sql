-- A rule may watch every scene of a site. Its state and its cooldown are kept for each scene, from the first time it is evaluated there.
CREATE TABLE "SiteRuleState" (
    "ruleId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "isFiring" BOOLEAN NOT NULL DEFAULT false,
    "holdingSince" TIMESTAMPTZ(3),
    "lastTriggeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "SiteRuleState_pkey" PRIMARY KEY ("ruleId", "sceneId")
);
CREATE INDEX "SiteRuleState_sceneId_idx" ON "SiteRuleState"("sceneId");

DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "AlertRule" ADD COLUMN "siteId" UUID, ALTER COLUMN "sceneId" DROP NOT NULL, ALTER COLUMN "deviceId" DROP NOT NULL;
      ALTER TABLE "AlertRule" ADD CONSTRAINT "AlertRule_place_check"
        CHECK (num_nonnulls("sceneId", "siteId") = 1 OR ("sceneId" IS NULL AND "deletedAt" IS NOT NULL));
      ALTER TABLE "AlertRule" ADD CONSTRAINT "AlertRule_siteId_fkey"
        FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE SET NULL ON UPDATE CASCADE;
      ALTER TABLE "SiteRuleState" ADD CONSTRAINT "SiteRuleState_ruleId_fkey"
        FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;
      ALTER TABLE "SiteRuleState" ADD CONSTRAINT "SiteRuleState_sceneId_fkey"
        FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
      -- Users have few rules, and firings live for seconds.
      CREATE INDEX "AlertRule_siteId_idx" ON "AlertRule"("siteId");
      -- Two scenes of a site may fire at the same time.
      CREATE UNIQUE INDEX "Firing_ruleId_taskId_firedAt_key" ON "Firing"("ruleId", "taskId", "firedAt");
      DROP INDEX "Firing_ruleId_firedAt_key";
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

-- Each rule with each scene for which it is evaluated now, and its state there.
CREATE VIEW "SceneRule" AS
  SELECT r.id, r."sceneId", r.severity, r.status, r."isFiring", r."holdingSince", r."lastTriggeredAt"
  FROM "AlertRule" r WHERE r."sceneId" IS NOT NULL AND r."deletedAt" IS NULL
  UNION ALL
  SELECT r.id, s.id, r.severity, r.status, coalesce(state."isFiring", false), state."holdingSince", state."lastTriggeredAt"
  FROM "AlertRule" r
  JOIN "SiteDevice" sd ON sd."siteId" = r."siteId"
  JOIN "Scene" s ON s."deviceId" = sd."deviceId" AND s."deletedAt" IS NULL
  LEFT JOIN "SiteRuleState" state ON state."ruleId" = r.id AND state."sceneId" = s.id
  WHERE r."deletedAt" IS NULL;

CREATE OR REPLACE FUNCTION end_firing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "AlertRule" SET "isFiring" = false, "holdingSince" = NULL
  WHERE "sceneId" = NEW."sceneId" AND "deletedAt" IS NULL AND ("isFiring" OR "holdingSince" IS NOT NULL);
  UPDATE "SiteRuleState" SET "isFiring" = false, "holdingSince" = NULL
  WHERE "sceneId" = NEW."sceneId" AND ("isFiring" OR "holdingSince" IS NOT NULL);
  RETURN NULL;
END $$;
