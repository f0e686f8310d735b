-- Checks of times: people mark on a film when each person joined, began to be served and left.
CREATE TYPE "CheckKind" AS ENUM ('stills', 'times');

DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "SceneCheck"
        ADD COLUMN "kind" "CheckKind" NOT NULL DEFAULT 'stills',
        ADD COLUMN "filmSeconds" SMALLINT,
        ADD COLUMN "filmFrom" INTEGER,
        ADD COLUMN "movedAt" TIMESTAMPTZ(3),
        ADD COLUMN "showsPeople" BOOLEAN NOT NULL DEFAULT false;
      -- A film may be kept while a check with stills goes on.
      DROP INDEX "SceneCheck_collecting_key";
      CREATE UNIQUE INDEX "SceneCheck_collecting_key" ON "SceneCheck"("sceneId", "kind") WHERE "status" = 'collecting';
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

CREATE TABLE "CheckFilm" (
    "checkId" UUID NOT NULL,
    "piece" SMALLINT NOT NULL,
    "jpegs" BYTEA NOT NULL,

    CONSTRAINT "CheckFilm_pkey" PRIMARY KEY ("checkId", "piece")
);

CREATE TABLE "CheckMarks" (
    "checkId" UUID NOT NULL,
    "checker" TEXT NOT NULL,
    "visits" JSONB NOT NULL,

    CONSTRAINT "CheckMarks_pkey" PRIMARY KEY ("checkId", "checker")
);

ALTER TABLE "CheckFilm" ADD CONSTRAINT "CheckFilm_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "SceneCheck"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "CheckMarks" ADD CONSTRAINT "CheckMarks_checkId_fkey" FOREIGN KEY ("checkId") REFERENCES "SceneCheck"("id") ON DELETE CASCADE ON UPDATE CASCADE;
