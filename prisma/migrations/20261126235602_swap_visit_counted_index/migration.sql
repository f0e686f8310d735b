-- The new index of decided visits gets the name of the old one. If the migration before was killed, it is not valid and is made again here,
-- for which writers of visits wait.
DO $$
BEGIN
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = '"Visit_counted_next"'::regclass) THEN
        EXECUTE (SELECT format('DROP INDEX "Visit_counted_next"; %s', pg_get_indexdef('"Visit_counted_next"'::regclass)));
      END IF;
      DROP INDEX IF EXISTS "Visit_counted_idx";
      ALTER INDEX "Visit_counted_next" RENAME TO "Visit_counted_idx";
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
