-- How long people may wait, for a scene and a site, and whether a visit was within it. Null columns and constant defaults do not
-- rewrite a table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "Scene" ADD COLUMN "targetWaitSeconds" INTEGER, ADD COLUMN "targetShare" DOUBLE PRECISION;
      ALTER TABLE "Site" ADD COLUMN "targetWaitSeconds" INTEGER, ADD COLUMN "targetShare" DOUBLE PRECISION;
      ALTER TABLE "Visit" ADD COLUMN "isInTime" BOOLEAN;
      ALTER TABLE "VisitQuarter" ADD COLUMN "inTime" SMALLINT[];
      ALTER TABLE "SceneTotals"
        ADD COLUMN "inTimeCount" INTEGER NOT NULL DEFAULT 0,
        ADD COLUMN "lateCount" INTEGER NOT NULL DEFAULT 0,
        ADD COLUMN "gaveUpLateCount" INTEGER NOT NULL DEFAULT 0,
        ADD COLUMN "gaveUpEarlyCount" INTEGER NOT NULL DEFAULT 0;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
