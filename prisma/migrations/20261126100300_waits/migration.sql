-- What somebody was told who joined a line: people ahead, and the wait with its band. Null columns do not rewrite a table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "Visit" ADD COLUMN "predictedAhead" SMALLINT, ADD COLUMN "predictedWaitMs" INTEGER,
        ADD COLUMN "predictedLowMs" INTEGER, ADD COLUMN "predictedHighMs" INTEGER;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
