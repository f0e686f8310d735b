-- At which till a visit was served, and which states each till had in a quarter of an hour. Null columns do not rewrite a table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "Visit" ADD COLUMN "tillId" TEXT, ADD COLUMN "services" JSONB;
      ALTER TABLE "VisitQuarter" ADD COLUMN "tillIds" TEXT[];
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

CREATE TABLE "TillQuarter" (
    "sceneId" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "tillId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "servingSeconds" SMALLINT NOT NULL,
    "freeSeconds" SMALLINT NOT NULL,
    "closedSeconds" SMALLINT NOT NULL,
    "lostSeconds" SMALLINT NOT NULL,
    "spans" BYTEA,

    CONSTRAINT "TillQuarter_pkey" PRIMARY KEY ("sceneId","quarter","tillId")
);

ALTER TABLE "TillQuarter" ADD CONSTRAINT "TillQuarter_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "TillQuarter_quarter_idx" ON "TillQuarter" USING BRIN ("quarter");
