-- The proposed zone of a scene that somebody has looked at and left, so that it is not shown again. Null without rewriting the table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "SceneFeet" ADD COLUMN "leftProposal" JSONB;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
