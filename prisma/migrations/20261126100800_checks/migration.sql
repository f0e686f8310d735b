-- Checks of scenes: stills of random moments with our counts, and what people counted. A live picture knows the counts of its frame.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "LivePicture" ADD COLUMN "counts" TEXT;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

CREATE TYPE "CheckStatus" AS ENUM ('collecting', 'open', 'finished');
CREATE TYPE "CheckEnd" AS ENUM ('complete', 'stopped', 'zones_changed', 'view_changed', 'expired');

CREATE TABLE "SceneCheck" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "status" "CheckStatus" NOT NULL DEFAULT 'collecting',
    "endReason" "CheckEnd",
    "wantedStills" SMALLINT NOT NULL,
    "seed" INTEGER NOT NULL,
    "zones" JSONB NOT NULL,
    "keepsWrongStills" BOOLEAN NOT NULL,
    "slot" SMALLINT NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3),
    "weightSum" SMALLINT NOT NULL DEFAULT 0,
    "lastCounts" JSONB,
    "missed" SMALLINT NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "collectedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "checkedBy" VARCHAR(100),
    "result" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SceneCheck_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "CheckStill" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "checkId" UUID NOT NULL,
    "stratum" SMALLINT NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "jpeg" BYTEA,
    "brightness" SMALLINT NOT NULL,
    "waiting" SMALLINT NOT NULL,
    "served" SMALLINT NOT NULL,
    "people" JSONB NOT NULL,
    "drawWeight" SMALLINT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "answers" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "CheckStill_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "SceneCheck_collecting_key" ON "SceneCheck"("sceneId") WHERE "status" = 'collecting';
CREATE INDEX "SceneCheck_nextAt_idx" ON "SceneCheck"("nextAt") WHERE "nextAt" IS NOT NULL;
CREATE INDEX "SceneCheck_list_idx" ON "SceneCheck"("sceneId", "startedAt" DESC, "id" DESC);
CREATE UNIQUE INDEX "CheckStill_checkId_stratum_key" ON "CheckStill"("checkId", "stratum");
CREATE INDEX "CheckStill_capturedAt_idx" ON "CheckStill"("capturedAt") WHERE "jpeg" IS NOT NULL;

ALTER TABLE "SceneCheck" ADD CONSTRAINT "SceneCheck_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "CheckStill" ADD CONSTRAINT "CheckStill_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "SceneCheck"("id") ON DELETE CASCADE ON UPDATE CASCADE;
