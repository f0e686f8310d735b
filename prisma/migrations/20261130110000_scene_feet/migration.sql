-- A sample of where people stood in the last hour with frames of a scene, so that whoever draws zones sees it. One row for each scene.
CREATE TABLE "SceneFeet" (
    "sceneId" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "points" BYTEA NOT NULL,

    CONSTRAINT "SceneFeet_pkey" PRIMARY KEY ("sceneId")
);

-- A new table has no rows to check, so that the lock of "Scene" is short. It waits for no long transaction.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "SceneFeet" ADD CONSTRAINT "SceneFeet_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
